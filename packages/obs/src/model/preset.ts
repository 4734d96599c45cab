// Presets: which sources of a scene are shown, saved and restored.
import type { Item, Preset, Studio } from './studio.ts';

/** Undefined if there is no such scene. */
export function presetOf(studio: Studio, scene: string, savedAt: string): Preset | undefined {
  const items = studio.items.get(scene);
  if (items === undefined) return undefined;
  const sources = items.map(({ id, source, visible }) => ({ sceneItemId: id, name: source, visible }));
  return { scene, savedAt, sources };
}

interface RestorePlan {
  changes: { sceneItemId: number; source: string; visible: boolean }[];
  /** Sources of the preset that the scene does not have any more. */
  missing: string[];
  /** Sources added to the scene since; applying the preset does not change them. */
  later: string[];
}

/** A source that was removed and added again has another id; then its name decides. */
export function restorePlan(studio: Studio, preset: Preset): RestorePlan {
  const left = [...(studio.items.get(preset.scene) ?? [])];
  const takeOut = (matches: (item: Item) => boolean): Item | undefined => {
    const index = left.findIndex(matches);
    return index === -1 ? undefined : left.splice(index, 1)[0];
  };
  const exact = preset.sources.map((saved) =>
    takeOut(({ id, source }) => id === saved.sceneItemId && source === saved.name),
  );
  const pairs = preset.sources.map(
    (saved, index) => [saved, exact[index] ?? takeOut(({ source }) => source === saved.name)] as const,
  );
  return {
    changes: pairs.flatMap(([{ visible }, item]) =>
      item && item.visible !== visible ? [{ sceneItemId: item.id, source: item.source, visible }] : [],
    ),
    missing: pairs.flatMap(([{ name }, item]) => (item ? [] : [name])),
    later: left.map(({ source }) => source),
  };
}
