// A part of the studio as read from OBS, and how it is merged into the studio.
import { withFields } from './immutable.ts';
import { withFilters } from './reduce/filters.ts';
import { withDevices, withInput, withInputList } from './reduce/inputs.ts';
import { withItems } from './reduce/items.ts';
import { withOutputs, withTransition } from './reduce/outputs.ts';
import { withSceneList } from './reduce/scenes.ts';
import type { Device, Filter, Input, Item, Outputs, Studio, Transition } from './studio.ts';

export type Part =
  | {
      of: 'scenes';
      scenes: readonly string[];
      programScene: string | null;
      previewScene: string | null;
      studioMode: boolean;
    }
  | { of: 'inputs'; names: readonly string[] }
  | { of: 'transition'; transition: Partial<Transition> }
  | { of: 'outputs'; outputs: Partial<Outputs> }
  | ({ of: 'collection' } & Pick<Studio, 'collection' | 'collections' | 'profile' | 'profiles'>)
  | { of: 'presets'; presets: Studio['presets'] }
  | { of: 'items'; name: string; items: readonly Item[] }
  | { of: 'input'; name: string; input: Input }
  | { of: 'devices'; kind: string; devices: readonly Device[] }
  | { of: 'filters'; name: string; filters: readonly Filter[] };

export function merge(studio: Studio, part: Part): Studio {
  switch (part.of) {
    case 'scenes': {
      const { scenes, programScene, previewScene, studioMode } = part;
      return withFields(withSceneList(studio, scenes), { programScene, previewScene, studioMode });
    }
    case 'inputs':
      return withInputList(studio, part.names);
    case 'transition':
      return withTransition(studio, part.transition);
    case 'outputs':
      return withOutputs(studio, part.outputs);
    case 'collection': {
      const { collection, collections, profile, profiles } = part;
      return withFields(studio, { collection, collections, profile, profiles });
    }
    case 'presets':
      return { ...studio, presets: part.presets };
    case 'items':
      return withItems(studio, part.name, part.items);
    case 'input':
      return withInput(studio, part.name, part.input);
    case 'devices':
      return withDevices(studio, part.kind, part.devices);
    default:
      return withFilters(studio, part.name, part.filters);
  }
}
