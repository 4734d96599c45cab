import { expect, it } from 'vitest';
import { type Item, type Studio, emptyStudio } from '../model/studio.ts';
import { findItem } from './find-item.ts';

const item = (id: number, source: string, visible = true): Item => ({
  id,
  source,
  type: 'input',
  visible,
  locked: false,
  blendMode: 'OBS_BLEND_NORMAL',
  transform: {},
});
const studio: Studio = {
  ...emptyStudio,
  items: new Map([['Chat', [item(3, 'Cam', false), item(2, 'Mic'), item(1, 'Cam')]]]),
};

it('finds a source by its name, and one of several by its id', () => {
  expect(findItem(studio, { scene: 'Chat', source: 'Mic' }).id).toBe(2);
  expect(findItem(studio, { scene: 'Chat', source: 'Cam', scene_item_id: 1 }).id).toBe(1);
});

it.each([
  [{ scene: 'None', source: 'Cam' }, 'RESOURCE_NOT_FOUND', 'OBS has no scene "None".'],
  [{ scene: 'Chat', source: 'None' }, 'RESOURCE_NOT_FOUND', 'Scene "Chat" has no source "None".'],
  [
    { scene: 'Chat', source: 'Cam', scene_item_id: 2 },
    'RESOURCE_NOT_FOUND',
    'Scene "Chat" has no source "Cam" with the id 2.',
  ],
  [
    { scene: 'Chat', source: 'Cam' },
    'INVALID_PARAMS',
    'Scene "Chat" has "Cam" more than once. Give scene_item_id, one of: 3 (hidden), 1 (visible).',
  ],
])('refuses %j with the reason', (address, code, message) => {
  expect(() => findItem(studio, address)).toThrow(expect.objectContaining({ code, message }));
});
