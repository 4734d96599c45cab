// The state of the fake OBS: scenes, items, inputs, filters and outputs, as obs-websocket 5.1.0 shows them.

export interface FakeItem {
  id: number;
  source: string;
  enabled: boolean;
  locked: boolean;
  blendMode: string;
  transform: Record<string, unknown>;
}

export interface FakeContainer {
  name: string;
  /** From the back to the front, as in OBS. */
  items: FakeItem[];
  nextId: number;
}

export interface FakeInput {
  kind: string;
  settings: Record<string, unknown>;
  /** Removed, but still in a scene that is not shown. */
  isGone: boolean;
  hasSound: boolean;
  /** An input of Settings, Audio: it is in no scene. */
  isGlobal: boolean;
  muted: boolean;
  volumeMul: number;
  balance: number;
  syncOffset: number;
  monitorType: string;
  tracks: Record<string, boolean>;
  mediaState: string;
  mediaCursor: number;
}

export interface FakeFilter {
  name: string;
  kind: string;
  enabled: boolean;
  settings: Record<string, unknown>;
}

const soundKinds = ['pulse_input_capture', 'alsa_input_capture', 'ffmpeg_source'];
export const inputKinds = ['color_source_v3', 'text_ft2_source_v2', ...soundKinds];
export const filterKinds = ['color_filter_v2', 'gain_filter', 'crop_filter'];
export const transitions = [
  { name: 'Cut', kind: 'cut_transition', isFixed: true },
  { name: 'Fade', kind: 'fade_transition', isFixed: false },
];

export interface FakeDevice {
  name: string;
  id: string;
}

const onePixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

export class FakeStudio {
  readonly collection: string;
  /** From the bottom of OBS's list to its top, as in obs-websocket. */
  scenes: FakeContainer[] = [newContainer('Scene')];
  groups: FakeContainer[] = [];
  readonly inputs = new Map<string, FakeInput>();
  readonly filters = new Map<string, FakeFilter[]>();
  /** The devices of the machine. */
  devices: FakeDevice[] = [
    { name: 'Default', id: 'default' },
    { name: 'Custom', id: '__custom__' },
  ];
  /** The content of a screenshot. */
  picture = onePixel;
  program = 'Scene';
  preview: string | null = null;
  studioMode = false;
  transition = 'Fade';
  transitionMs = 300;
  stream = false;
  record = false;
  recordPaused = false;
  replayBuffer = false;
  virtualCamera = false;

  constructor(collection: string) {
    this.collection = collection;
  }

  scene(name: string): FakeContainer | undefined {
    return this.scenes.find((scene) => scene.name === name);
  }

  container(name: string): FakeContainer | undefined {
    return this.scene(name) ?? this.groups.find((group) => group.name === name);
  }

  get containers(): FakeContainer[] {
    return [...this.scenes, ...this.groups];
  }

  hasSource(name: string): boolean {
    return this.container(name) !== undefined || this.inputs.has(name);
  }

  /** Whether the scene is the program or the preview. */
  isShown(container: FakeContainer): boolean {
    return container.name === this.program || container.name === this.preview;
  }
}

export function newContainer(name: string): FakeContainer {
  return { name, items: [], nextId: 1 };
}

export function newInput(kind: string, settings: Record<string, unknown>): FakeInput {
  const tracks = { 1: true, 2: true, 3: true, 4: true, 5: true, 6: true };
  return {
    kind,
    settings,
    isGone: false,
    hasSound: soundKinds.includes(kind),
    isGlobal: false,
    muted: false,
    volumeMul: 1,
    balance: 0.5,
    syncOffset: 0,
    monitorType: 'OBS_MONITORING_TYPE_NONE',
    tracks,
    mediaState: kind === 'ffmpeg_source' ? 'OBS_MEDIA_STATE_STOPPED' : 'OBS_MEDIA_STATE_NONE',
    mediaCursor: 0,
  };
}

export function newItem(container: FakeContainer, source: string, enabled = true): FakeItem {
  const transform = {
    positionX: 0,
    positionY: 0,
    rotation: 0,
    scaleX: 1,
    scaleY: 1,
    alignment: 5,
    boundsType: 'OBS_BOUNDS_NONE',
    width: 1920,
    height: 1080,
    sourceWidth: 1920,
    sourceHeight: 1080,
  };
  const id = container.nextId;
  container.nextId += 1;
  return { id, source, enabled, locked: false, blendMode: 'OBS_BLEND_NORMAL', transform };
}

/** As in OBS: silence is -100 dB. */
export function decibels(mul: number): number {
  return mul === 0 ? -100 : 20 * Math.log10(mul);
}
