import { describe, expect, it } from 'vitest';
import { differenceOf } from './difference.ts';
import { type Item, type Studio, emptyStudio } from './studio.ts';
import { statusUri, uriOf } from './uri.ts';

const item = (id: number, source: string, more: Partial<Item> = {}): Item => ({
  id,
  source,
  type: 'input',
  visible: true,
  locked: false,
  blendMode: 'OBS_BLEND_NORMAL',
  transform: {},
  ...more,
});
const [cam, mic] = [item(1, 'Cam'), item(2, 'Mic')];
const input = (settings = {}) => ({ kind: 'camera', settings, audio: null, mediaState: null });
const studio: Studio = {
  ...emptyStudio,
  scenes: ['Gaming', 'Chat'],
  programScene: 'Gaming',
  items: new Map([
    ['Gaming', [cam]],
    ['Chat', [mic, cam]],
  ]),
  inputs: new Map([
    ['Cam', input()],
    ['Mic', input()],
  ]),
};
const after = (change: Partial<Studio>) => {
  const { uris, isListDifferent } = differenceOf(studio, { ...studio, ...change });
  return { uris: [...uris].sort(), isListDifferent };
};

describe('the difference of two studios', () => {
  it('is empty for equal ones, whether they are identical or not', () => {
    expect(differenceOf(studio, studio)).toMatchObject({ uris: [], isListDifferent: false });
    expect(after({ items: new Map(studio.items), inputs: new Map(studio.inputs) }).uris).toEqual([]);
  });

  it('names the scene and the source of an item that was hidden', () => {
    const hidden = item(1, 'Cam', { visible: false });
    const items = new Map([...studio.items, ['Chat', [mic, hidden]] as const]);
    expect(after({ items })).toEqual({
      uris: [uriOf.scene('Chat'), uriOf.source('Chat', 'Cam')].sort(),
      isListDifferent: false,
    });
  });

  it('names the sources of an input in all scenes', () => {
    const inputs = new Map([...studio.inputs, ['Cam', input({ width: 1 })] as const]);
    expect(after({ inputs }).uris).toEqual([uriOf.source('Chat', 'Cam'), uriOf.source('Gaming', 'Cam')].sort());
  });

  it('names both scenes and the status when another scene goes on air', () => {
    expect(after({ programScene: 'Chat' })).toEqual({
      uris: [uriOf.scene('Chat'), uriOf.scene('Gaming'), statusUri].sort(),
      isListDifferent: false,
    });
  });

  it('reports a different list when a source is removed', () => {
    const items = new Map([...studio.items, ['Chat', [cam]] as const]);
    const { uris, isListDifferent } = after({ items });
    expect(uris).toContain(uriOf.source('Chat', 'Mic'));
    expect(isListDifferent).toBe(true);
  });

  it('omits the other items when one is added in front', () => {
    const items = new Map([...studio.items, ['Chat', [item(3, 'Logo'), mic, cam]] as const]);
    const { uris } = after({ items });
    expect(uris).toContain(uriOf.source('Chat', 'Logo'));
    expect(uris).not.toContain(uriOf.source('Chat', 'Mic'));
  });
});
