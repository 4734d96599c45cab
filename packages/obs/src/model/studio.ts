// The state of OBS: scenes and their items, inputs, filters, the transition, the outputs. Values are immutable;
// unchanged parts stay the same object, so the time to compare two studios is proportional to their difference.

type Settings = Readonly<Record<string, unknown>>;

/** The settable part of an item's transform; derived sizes are left out. */
export type Transform = Readonly<Record<string, string | number | boolean>>;

/** A source in a scene. The same source can be in a scene more than once, under different ids. */
export interface Item {
  readonly id: number;
  readonly source: string;
  readonly type: 'input' | 'scene' | 'group';
  readonly visible: boolean;
  readonly locked: boolean;
  readonly blendMode: string | null;
  readonly transform: Transform;
}

export interface Audio {
  readonly muted: boolean;
  readonly volumeDb: number;
  readonly volumeMul: number;
  readonly balance: number;
  readonly syncOffsetMs: number;
  readonly monitorType: string;
  readonly tracks: Readonly<Record<string, boolean>>;
}

export interface Input {
  readonly kind: string;
  readonly settings: Settings;
  /** Null for inputs without audio. */
  readonly audio: Audio | null;
  /** Null for inputs that play no media. */
  readonly mediaState: string | null;
}

/** A device that an input can capture: a microphone, a sound card. */
export interface Device {
  readonly id: string;
  readonly name: string;
}

export interface Filter {
  readonly name: string;
  readonly kind: string;
  readonly enabled: boolean;
  readonly settings: Settings;
}

export interface Transition {
  readonly name: string | null;
  readonly kind: string | null;
  /** Null for transitions without a duration, or with a fixed one. */
  readonly durationMs: number | null;
  readonly settings: Settings | null;
  /** While it runs, its target is about to become the program scene. */
  readonly isRunning: boolean;
  readonly available: readonly string[];
}

export type OutputState = 'stopped' | 'starting' | 'started' | 'stopping' | 'paused' | 'reconnecting';

export interface Outputs {
  readonly stream: OutputState;
  readonly record: OutputState;
  /** Null if OBS has none, or it is not set up. */
  readonly replayBuffer: OutputState | null;
  readonly virtualCamera: OutputState | null;
  readonly lastRecording: string | null;
  readonly lastReplay: string | null;
}

/** Which sources of a scene are shown, to be restored later. */
export interface Preset {
  readonly scene: string;
  readonly savedAt: string;
  readonly sources: readonly { readonly sceneItemId: number; readonly name: string; readonly visible: boolean }[];
}

export interface Studio {
  readonly collection: string | null;
  readonly collections: readonly string[];
  readonly profile: string | null;
  readonly profiles: readonly string[];
  /** The presets of this scene collection, by name. */
  readonly presets: ReadonlyMap<string, Preset>;
  /** From the top of OBS's list to its bottom. */
  readonly scenes: readonly string[];
  /** The items of each scene or group, from the top of OBS's list to its bottom. */
  readonly items: ReadonlyMap<string, readonly Item[]>;
  readonly inputs: ReadonlyMap<string, Input>;
  /** The available devices of each kind of input, as far as they were read: OBS searches for devices at every read. */
  readonly devices: ReadonlyMap<string, readonly Device[]>;
  /** Removed inputs that OBS still lists, with their items, until it shows those scenes. */
  readonly removedInputs: ReadonlySet<string>;
  /** By the name of the source, which can be a scene. In the order in which they are applied. */
  readonly filters: ReadonlyMap<string, readonly Filter[]>;
  readonly programScene: string | null;
  readonly previewScene: string | null;
  readonly studioMode: boolean;
  readonly transition: Transition;
  readonly outputs: Outputs;
}

export const emptyStudio: Studio = {
  collection: null,
  collections: [],
  profile: null,
  profiles: [],
  presets: new Map(),
  scenes: [],
  items: new Map(),
  inputs: new Map(),
  devices: new Map(),
  removedInputs: new Set(),
  filters: new Map(),
  programScene: null,
  previewScene: null,
  studioMode: false,
  transition: { name: null, kind: null, durationMs: null, settings: null, isRunning: false, available: [] },
  outputs: {
    stream: 'stopped',
    record: 'stopped',
    replayBuffer: null,
    virtualCamera: null,
    lastRecording: null,
    lastReplay: null,
  },
};

/** Groups exist as long as a scene has them. */
export function groupsOf(studio: Studio): string[] {
  const groups = new Set<string>();
  for (const scene of studio.scenes) {
    for (const { type, source } of studio.items.get(scene) ?? []) if (type === 'group') groups.add(source);
  }
  return [...groups];
}

/** Everything with items: scenes in their order, then groups. */
export function containersOf(studio: Studio): string[] {
  return [...studio.scenes, ...groupsOf(studio)];
}
