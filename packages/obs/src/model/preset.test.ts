import { describe, expect, it } from 'vitest';
import { presetOf, restorePlan } from './preset.ts';
import { type Item, type Studio, emptyStudio } from './studio.ts';

const item = (id: number, source: string, visible = true): Item => ({
  id,
  source,
  type: 'input',
  visible,
  locked: false,
  blendMode: null,
  transform: {},
});
const studioOf = (...items: Item[]): Studio => ({ ...emptyStudio, items: new Map([['Chat', items]]) });
const savedAt = '2026-11-18T08:00:00.000Z';

function saved(...items: Item[]) {
  const preset = presetOf(studioOf(...items), 'Chat', savedAt);
  if (preset === undefined) throw new Error('There is no scene.');
  return preset;
}

describe('a preset', () => {
  it('contains the visibility of each source of a scene', () => {
    expect(saved(item(1, 'Cam'), item(2, 'Mic', false))).toEqual({
      scene: 'Chat',
      savedAt,
      sources: [
        { sceneItemId: 1, name: 'Cam', visible: true },
        { sceneItemId: 2, name: 'Mic', visible: false },
      ],
    });
    expect(presetOf(studioOf(), 'Nope', savedAt)).toBeUndefined();
  });

  it('changes only sources whose visibility differs', () => {
    const preset = saved(item(1, 'Cam'), item(2, 'Mic', false));
    expect(restorePlan(studioOf(item(1, 'Cam', false), item(2, 'Mic', false)), preset)).toEqual({
      changes: [{ sceneItemId: 1, source: 'Cam', visible: true }],
      missing: [],
      later: [],
    });
  });

  it('reports sources that are gone and those that were added', () => {
    const plan = restorePlan(studioOf(item(3, 'Logo')), saved(item(1, 'Cam')));
    expect(plan).toEqual({ changes: [], missing: ['Cam'], later: ['Logo'] });
  });

  it('finds a source by its name if it was removed and added again', () => {
    const plan = restorePlan(studioOf(item(7, 'Cam', false)), saved(item(1, 'Cam')));
    expect(plan.changes).toEqual([{ sceneItemId: 7, source: 'Cam', visible: true }]);
  });

  it('distinguishes two items of one source by their ids, in any order', () => {
    const preset = saved(item(1, 'Cam', true), item(2, 'Cam', false));
    const { changes } = restorePlan(studioOf(item(2, 'Cam', true), item(1, 'Cam', false)), preset);
    expect(changes).toEqual([
      { sceneItemId: 1, source: 'Cam', visible: true },
      { sceneItemId: 2, source: 'Cam', visible: false },
    ]);
  });
});
