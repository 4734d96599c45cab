// The content of each resource, as a pure function of the studio. Undefined: there is no such resource.
import { deviceSettingOf } from './device-setting.ts';
import type { Device, Input, Item, Studio } from './studio.ts';

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
 * A source in a scene or group. If the scene has it several times, `visible` means that one of them is visible,
 * `locked` that all are, and `items` lists them.
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

/** The index is OBS's, which counts from the back: adding an item in front does not move the others. */
function itemContent({ id, visible, locked, blendMode, transform }: Item, index: number) {
  return { sceneItemId: id, sceneItemIndex: index, visible, locked, blendMode, transform };
}

export function audioInputContent(studio: Studio, name: string) {
  const input = studio.inputs.get(name);
  if (!input?.audio) return undefined;
  const devices = studio.devices.get(input.kind) ?? [];
  return { name, kind: input.kind, ...input.audio, device: deviceContent(input, devices), devices };
}

/** Null for an input that captures no device. A disconnected device is in no list, so its name is unknown. */
function deviceContent({ kind, settings }: Input, devices: readonly Device[]) {
  const source = deviceSettingOf(kind);
  if (source === undefined) return null;
  const chosen = settings[source.setting];
  const id = typeof chosen === 'string' ? chosen : source.byDefault;
  if (id === null) return null;
  const device = devices.find((each) => each.id === id);
  return { id, name: device?.name ?? null, isAvailable: device !== undefined };
}

/** OBS's data about an input that plays media; its position is requested on each read. */
export function mediaContent(studio: Studio, name: string) {
  const input = studio.inputs.get(name);
  if (!input?.mediaState) return undefined;
  return { name, kind: input.kind, state: mediaStateWord(input.mediaState) };
}

/** `OBS_MEDIA_STATE_PLAYING` is `playing`. */
export function mediaStateWord(state: string): string {
  return state.replace(/^OBS_MEDIA_STATE_/, '').toLowerCase();
}

export function presetContent(studio: Studio, name: string) {
  const preset = studio.presets.get(name);
  return preset && { name, ...preset };
}

export function filterContent(studio: Studio, source: string, name: string) {
  const filters = studio.filters.get(source) ?? [];
  const index = filters.findIndex((filter) => filter.name === name);
  const filter = filters[index];
  if (filter === undefined) return undefined;
  const { kind, enabled, settings } = filter;
  return { source, name, kind, enabled, index, settings };
}

/** The studio's part of the status. */
export function liveContent(studio: Studio) {
  const { programScene, previewScene, studioMode, transition, outputs } = studio;
  const { collection, collections, profile, profiles } = studio;
  const { stream, record, replayBuffer, virtualCamera, lastRecording, lastReplay } = outputs;
  return {
    sceneCollection: collection,
    sceneCollections: collections,
    profile,
    profiles,
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
