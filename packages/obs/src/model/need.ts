// Which parts of the studio have to be read: because an event says too little, or because a part that
// was read names something unknown.
import { deviceSettingOf } from './device-setting.ts';
import type { ObsEvent } from './event.ts';
import type { Part } from './part.ts';
import type { Studio } from './studio.ts';

export type Need =
  | { of: 'scenes' | 'inputs' | 'transition' | 'outputs' | 'collection' }
  | { of: 'presets'; collection: string }
  | { of: 'items'; name: string; isGroup: boolean }
  | { of: 'input' | 'filters'; name: string }
  /** The devices for inputs of one kind; OBS is asked about one of the inputs. */
  | { of: 'devices'; kind: string; input: string; setting: string };

/** From these everything else follows. */
export const wholeStudio: readonly Need[] = [
  { of: 'scenes' },
  { of: 'inputs' },
  { of: 'transition' },
  { of: 'outputs' },
  { of: 'collection' },
];

export function needKey(need: Need): string {
  if ('name' in need) return `${need.of} ${need.name}`;
  return 'kind' in need ? `${need.of} ${need.kind}` : need.of;
}

export function needsOfEvent(studio: Studio, event: ObsEvent): readonly Need[] {
  switch (event.type) {
    case 'SceneListChanged':
      return event.data.scenes.flatMap(({ sceneName }) => newContainer(studio, sceneName, false));
    case 'SceneCreated':
      return aboutContainer(event.data.sceneName, event.data.isGroup);
    case 'SceneItemCreated':
      return [itemsOf(studio, event.data.sceneName)];
    // A read of it under its old name may be pending, and returns nothing then.
    case 'SceneNameChanged':
      return aboutContainer(event.data.sceneName, false);
    case 'InputNameChanged':
    case 'InputCreated':
      return aboutInput(event.data.inputName);
    case 'SourceFilterCreated':
    case 'SourceFilterNameChanged':
      return [{ of: 'filters', name: event.data.sourceName }];
    case 'MediaInputPlaybackStarted':
    case 'MediaInputPlaybackEnded':
    case 'MediaInputActionTriggered':
      return [{ of: 'input', name: event.data.inputName }];
    // A profile has outputs of its own.
    case 'CurrentProfileChanged':
      return [{ of: 'outputs' }];
    case 'CurrentSceneTransitionChanged':
      return [{ of: 'transition' }];
    // OBS names the new program scene before the transition ends.
    case 'SceneTransitionStarted':
    case 'StudioModeStateChanged':
      return [{ of: 'scenes' }];
    default:
      return [];
  }
}

/** What a part names that the studio does not have yet. */
export function needsOfPart(studio: Studio, part: Part): readonly Need[] {
  switch (part.of) {
    case 'scenes':
      return part.scenes.flatMap((scene) => newContainer(studio, scene, false));
    case 'inputs':
      return part.names.flatMap((input) => newInput(studio, input));
    case 'collection':
      return part.collection === null ? [] : [{ of: 'presets', collection: part.collection }];
    case 'items':
      return part.items.flatMap(({ type, source }) => {
        if (type === 'input') return newInput(studio, source);
        return type === 'group' ? newContainer(studio, source, true) : [];
      });
    default:
      return [];
  }
}

/** Which device an input captures, and which it could: OBS says neither in an event, or not in every version. */
export function deviceOf(studio: Studio, name: string): readonly Need[] {
  const kind = studio.inputs.get(name)?.kind;
  const source = kind === undefined ? undefined : deviceSettingOf(kind);
  if (kind === undefined || source === undefined) return [];
  return [
    { of: 'input', name },
    { of: 'devices', kind, input: name, setting: source.setting },
  ];
}

/** What is in a scene or group of the studio. */
export function itemsOf(studio: Studio, name: string): Need {
  return { of: 'items', name, isGroup: !studio.scenes.includes(name) };
}

function newContainer(studio: Studio, name: string, isGroup: boolean): readonly Need[] {
  return studio.items.has(name) ? [] : aboutContainer(name, isGroup);
}

function newInput(studio: Studio, name: string): readonly Need[] {
  return studio.inputs.has(name) || studio.removedInputs.has(name) ? [] : aboutInput(name);
}

function aboutContainer(name: string, isGroup: boolean): readonly Need[] {
  return [
    { of: 'items', name, isGroup },
    { of: 'filters', name },
  ];
}

function aboutInput(name: string): readonly Need[] {
  return [
    { of: 'input', name },
    { of: 'filters', name },
  ];
}
