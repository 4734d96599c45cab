// The items of scenes and groups. New items are not created here: their event is incomplete, so they are read.
import type { EventOf } from '../event.ts';
import { withChanged, withEntry, withFields, withRenamedEntry, withoutEntry } from '../immutable.ts';
import { type Item, type Studio, groupsOf } from '../studio.ts';
import { transformFrom } from '../transform.ts';

/** Sets the items of a scene or group, from top to bottom, without those of removed inputs and scenes. */
export function withItems(studio: Studio, container: string, items: readonly Item[]): Studio {
  const alive = items.filter(({ type, source }) => {
    if (type === 'input') return !studio.removedInputs.has(source);
    return type === 'group' || studio.scenes.includes(source);
  });
  return withoutLostGroups(studio, withFields(studio, { items: withEntry(studio.items, container, alive) }));
}

/** Removes a scene or group, but no item that shows it. */
export function withoutContainer(studio: Studio, name: string): Studio {
  return { ...studio, items: withoutEntry(studio.items, name), filters: withoutEntry(studio.filters, name) };
}

/** Removes the groups that only `before` has. OBS may announce the end of their filters, too, but not of their items. */
export function withoutLostGroups(before: Studio, after: Studio): Studio {
  if (before.items === after.items) return after;
  const left = new Set(groupsOf(after));
  return groupsOf(before)
    .filter((group) => !left.has(group))
    .reduce(withoutContainer, after);
}

/** Changes the items of one scene or group; does nothing for an unknown one. */
function withinContainer(studio: Studio, container: string, change: (items: readonly Item[]) => readonly Item[]) {
  const items = studio.items.get(container);
  if (items === undefined) return studio;
  const next = change(items);
  return next === items ? studio : { ...studio, items: withEntry(studio.items, container, next) };
}

/** Changes every item of all scenes and groups. */
function withinAll(studio: Studio, change: (items: readonly Item[]) => readonly Item[]): Studio {
  return [...studio.items.keys()].reduce((next, container) => withinContainer(next, container, change), studio);
}

/** Removes a source from every scene. */
export function withoutSource(studio: Studio, source: string): Studio {
  return withinAll(studio, (items) => without(items, (item) => item.source === source));
}

/** Renames a source in every scene; its filters are then found under the new name. */
export function withRenamedSource(studio: Studio, from: string, to: string): Studio {
  const renamed = withinAll(studio, (items) =>
    withChanged(
      items,
      ({ source }) => source === from,
      (item) => ({ ...item, source: to }),
    ),
  );
  return { ...renamed, filters: withRenamedEntry(renamed.filters, from, to) };
}

export function itemRemoved(studio: Studio, { data }: EventOf<'SceneItemRemoved'>): Studio {
  const rest = withinContainer(studio, data.sceneName, (items) => without(items, ({ id }) => id === data.sceneItemId));
  return withoutLostGroups(studio, rest);
}

/** OBS counts from the bottom. */
export function itemsReordered(studio: Studio, { data }: EventOf<'SceneItemListReindexed'>): Studio {
  const indexes = new Map(data.sceneItems.map(({ sceneItemId, sceneItemIndex }) => [sceneItemId, sceneItemIndex]));
  const indexIn = ({ id }: Item) => indexes.get(id) ?? -1;
  return withinContainer(studio, data.sceneName, (items) => items.toSorted((a, b) => indexIn(b) - indexIn(a)));
}

export function itemShownOrHidden(studio: Studio, { data }: EventOf<'SceneItemEnableStateChanged'>): Studio {
  return withItem(studio, data.sceneName, data.sceneItemId, { visible: data.sceneItemEnabled });
}

export function itemLockedOrUnlocked(studio: Studio, { data }: EventOf<'SceneItemLockStateChanged'>): Studio {
  return withItem(studio, data.sceneName, data.sceneItemId, { locked: data.sceneItemLocked });
}

export function itemMoved(studio: Studio, { data }: EventOf<'SceneItemTransformChanged'>): Studio {
  return withItem(studio, data.sceneName, data.sceneItemId, { transform: transformFrom(data.sceneItemTransform) });
}

function withItem(studio: Studio, container: string, itemId: number, fields: Partial<Item>): Studio {
  return withinContainer(studio, container, (items) =>
    withChanged(
      items,
      ({ id }) => id === itemId,
      (item) => withFields(item, fields),
    ),
  );
}

function without(items: readonly Item[], matches: (item: Item) => boolean): readonly Item[] {
  return items.some(matches) ? items.filter((item) => !matches(item)) : items;
}
