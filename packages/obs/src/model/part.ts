// A part of the studio as it was read from OBS, and how it gets into the studio.
import { withFields } from './immutable.ts';
import { withFilters } from './reduce/filters.ts';
import { withInput, withInputList } from './reduce/inputs.ts';
import { withItems } from './reduce/items.ts';
import { withOutputs, withTransition } from './reduce/outputs.ts';
import { withSceneList } from './reduce/scenes.ts';
import type { Filter, Input, Item, Outputs, Studio, Transition } from './studio.ts';

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
  | { of: 'collection'; collection: string | null }
  | { of: 'items'; name: string; items: readonly Item[] }
  | { of: 'input'; name: string; input: Input }
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
    case 'collection':
      return withFields(studio, { collection: part.collection });
    case 'items':
      return withItems(studio, part.name, part.items);
    case 'input':
      return withInput(studio, part.name, part.input);
    default:
      return withFilters(studio, part.name, part.filters);
  }
}
