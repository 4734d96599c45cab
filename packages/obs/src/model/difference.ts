// The resources that differ between two studios. Only objects that are not identical are compared, and only different
// contents count.
import { isDeepStrictEqual } from 'node:util';
import { audioInputContent, filterContent, liveContent, mediaContent, presetContent } from './contents.ts';
import { sceneContent, sourceContent } from './contents.ts';
import { type Device, type Input, type Item, type Studio, containersOf } from './studio.ts';
import { statusUri, uriOf } from './uri.ts';

interface StudioDifference {
  /** Canonical URIs of resources whose content changed, including added and removed ones. */
  readonly uris: readonly string[];
  /** Whether resources were added or removed. */
  readonly isListDifferent: boolean;
}

export function differenceOf(before: Studio, after: Studio): StudioDifference {
  const tally = new Tally();
  if (before === after) return tally;
  compareScenes(before, after, tally);
  compareSources(before, after, tally);
  compareAudioInputs(before, after, tally);
  compareFilters(before, after, tally);
  compareMedia(before, after, tally);
  comparePresets(before, after, tally);
  tally.compare(statusUri, liveContent(before), liveContent(after));
  return tally;
}

const none: readonly Item[] = [];
const nothing: ReadonlySet<string> = new Set();

class Tally implements StudioDifference {
  readonly uris: string[] = [];
  isListDifferent = false;

  compare(uri: string, before: unknown, after: unknown): void {
    if (isDeepStrictEqual(before, after)) return;
    this.uris.push(uri);
    if (before === undefined || after === undefined) this.isListDifferent = true;
  }
}

function compareScenes(before: Studio, after: Studio, tally: Tally): void {
  const moved = before.scenes !== after.scenes;
  for (const scene of union(before.scenes, after.scenes)) {
    const isSuspect =
      moved ||
      before.items.get(scene) !== after.items.get(scene) ||
      (before.programScene === scene) !== (after.programScene === scene) ||
      (before.previewScene === scene) !== (after.previewScene === scene);
    if (isSuspect) tally.compare(uriOf.scene(scene), sceneContent(before, scene), sceneContent(after, scene));
  }
}

function compareSources(before: Studio, after: Studio, tally: Tally): void {
  const isPartSame =
    before.items === after.items &&
    before.inputs === after.inputs &&
    before.filters === after.filters &&
    before.scenes === after.scenes;
  if (isPartSame) return;
  const [had, has] = [new Set(containersOf(before)), new Set(containersOf(after))];
  for (const container of union(had, has)) {
    const itemsBefore = had.has(container) ? (before.items.get(container) ?? none) : none;
    const itemsAfter = has.has(container) ? (after.items.get(container) ?? none) : none;
    const moved = itemsBefore === itemsAfter ? nothing : movedSources(itemsBefore, itemsAfter);
    for (const source of union(itemsBefore.map(nameOf), moved)) {
      const isSuspect =
        moved.has(source) ||
        before.inputs.get(source) !== after.inputs.get(source) ||
        before.filters.get(source) !== after.filters.get(source);
      if (!isSuspect) continue;
      const old = had.has(container) ? sourceContent(before, container, source) : undefined;
      const now = has.has(container) ? sourceContent(after, container, source) : undefined;
      tally.compare(uriOf.source(container, source), old, now);
    }
  }
}

/** Sources with a changed or moved item. */
function movedSources(before: readonly Item[], after: readonly Item[]): ReadonlySet<string> {
  const moved = new Set<string>();
  for (let back = 1; back <= Math.max(before.length, after.length); back += 1) {
    const [old, now] = [before.at(-back), after.at(-back)];
    if (old === now) continue;
    if (old) moved.add(old.source);
    if (now) moved.add(now.source);
  }
  return moved;
}

function compareAudioInputs(before: Studio, after: Studio, tally: Tally): void {
  if (before.inputs === after.inputs && before.devices === after.devices) return;
  // Devices that were read for the first time do not count as changed.
  const known = { ...before, devices: new Map([...after.devices, ...before.devices]) };
  for (const input of union(before.inputs.keys(), after.inputs.keys())) {
    const [old, now] = [before.inputs.get(input), after.inputs.get(input)];
    if (old === now && devicesOf(known, old) === devicesOf(after, now)) continue;
    tally.compare(uriOf.audioInput(input), audioInputContent(known, input), audioInputContent(after, input));
  }
}

function devicesOf(studio: Studio, input: Input | undefined): readonly Device[] | undefined {
  return input && studio.devices.get(input.kind);
}

function compareFilters(before: Studio, after: Studio, tally: Tally): void {
  if (before.filters === after.filters) return;
  for (const source of union(before.filters.keys(), after.filters.keys())) {
    const [had = [], has = []] = [before.filters.get(source), after.filters.get(source)];
    if (had === has) continue;
    for (const filter of union(
      had.map(({ name }) => name),
      has.map(({ name }) => name),
    )) {
      const [old, now] = [filterContent(before, source, filter), filterContent(after, source, filter)];
      tally.compare(uriOf.filter(source, filter), old, now);
    }
  }
}

function compareMedia(before: Studio, after: Studio, tally: Tally): void {
  if (before.inputs === after.inputs) return;
  for (const input of union(before.inputs.keys(), after.inputs.keys())) {
    if (before.inputs.get(input) === after.inputs.get(input)) continue;
    tally.compare(uriOf.media(input), mediaContent(before, input), mediaContent(after, input));
  }
}

function comparePresets(before: Studio, after: Studio, tally: Tally): void {
  if (before.presets === after.presets) return;
  for (const preset of union(before.presets.keys(), after.presets.keys())) {
    tally.compare(uriOf.preset(preset), presetContent(before, preset), presetContent(after, preset));
  }
}

function nameOf({ source }: { source: string }): string {
  return source;
}

function union(a: Iterable<string>, b: Iterable<string>): Set<string> {
  return new Set([...a, ...b]);
}
