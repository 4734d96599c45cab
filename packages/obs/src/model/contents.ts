// The content of each resource, as a pure function of the studio. Undefined: there is no such resource.
import type { Item, Studio } from './studio.ts';

export function sceneContent(studio: Studio, name: string) {
  const index = studio.scenes.indexOf(name);
  if (index === -1) return undefined;
  const items = studio.items.get(name) ?? [];
  return {
    name,
    isActive: studio.programScene === name,
    isPreview: studio.previewScene === name,
    index,
    sources: items.map(({ source, type, visible, locked, id }) => ({
      name: source,
      type,
      visible,
      locked,
      sceneItemId: id,
    })),
  };
}

/**
 * A source in a scene or group. Where it is there more than once, `visible` means that one of them is,
 * `locked` that all of them are, and `items` tells them apart.
 */
export function sourceContent(studio: Studio, scene: string, name: string) {
  const all = studio.items.get(scene) ?? [];
  const items = all.filter(({ source }) => source === name);
  const [first] = items;
  if (first === undefined) return undefined;
  const input = studio.inputs.get(name);
  return {
    scene,
    name,
    type: first.type,
    inputKind: input?.kind ?? null,
    visible: items.some(({ visible }) => visible),
    locked: items.every(({ locked }) => locked),
    sceneItemIds: items.map(({ id }) => id),
    filters: (studio.filters.get(name) ?? []).map(({ name, kind }) => ({ name, kind })),
    settings: input?.settings ?? null,
    mediaState: input?.mediaState ?? null,
    items: items.map((item) => itemContent(item, all.length - 1 - all.indexOf(item))),
  };
}

/** The index is OBS's, which counts from the back: what is put in front does not move the others. */
function itemContent({ id, visible, locked, blendMode, transform }: Item, index: number) {
  return { sceneItemId: id, sceneItemIndex: index, visible, locked, blendMode, transform };
}

export function audioInputContent(studio: Studio, name: string) {
  const input = studio.inputs.get(name);
  return input?.audio ? { name, kind: input.kind, ...input.audio } : undefined;
}

export function filterContent(studio: Studio, source: string, name: string) {
  const filters = studio.filters.get(source) ?? [];
  const index = filters.findIndex((filter) => filter.name === name);
  const filter = filters[index];
  if (filter === undefined) return undefined;
  const { kind, enabled, settings } = filter;
  return { source, name, kind, enabled, index, settings };
}

/** What the status says of the studio itself. */
export function liveContent(studio: Studio) {
  const { programScene, previewScene, studioMode, transition, outputs, collection } = studio;
  const { stream, record, replayBuffer, virtualCamera, lastRecording, lastReplay } = outputs;
  return {
    sceneCollection: collection,
    programScene,
    previewScene,
    studioMode,
    transition: {
      name: transition.name,
      kind: transition.kind,
      durationMs: transition.durationMs,
      isRunning: transition.isRunning,
      available: transition.available,
    },
    streaming: stream === 'started' || stream === 'reconnecting',
    recording: record === 'started' || record === 'paused',
    recordingPaused: record === 'paused',
    replayBuffer: replayBuffer === null ? null : replayBuffer === 'started',
    virtualCamera: virtualCamera === null ? null : virtualCamera === 'started',
    outputs: { stream, record, replayBuffer, virtualCamera },
    lastRecording,
    lastReplay,
  };
}
