// The parts of the studio that have to be read, because an event is incomplete or a part names an unknown object.
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

/** All other parts follow from these. */
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
    // A pending read under the old name returns nothing.
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
    // Each profile has its own outputs.
    case 'CurrentProfileChanged':
      return [{ of: 'outputs' }];
    case 'CurrentSceneTransitionChanged':
      return [{ of: 'transition' }];
    // From the start of a transition, OBS lists the new program scene; the event for the scene follows at the end.
    case 'SceneTransitionStarted':
    case 'StudioModeStateChanged':
      return [{ of: 'scenes' }];
    default:
      return [];
  }
}

/** The objects that a part names and the studio does not have yet. */
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

/** The device of an input, and the available ones: OBS announces neither, or not in every version. */
export function deviceOf(studio: Studio, name: string): readonly Need[] {
  const kind = studio.inputs.get(name)?.kind;
  const source = kind === undefined ? undefined : deviceSettingOf(kind);
  if (kind === undefined || source === undefined) return [];
  return [
    { of: 'input', name },
    { of: 'devices', kind, input: name, setting: source.setting },
  ];
}

/** The items of a scene or group. */
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
