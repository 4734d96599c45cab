// The resources that show a source, in all scenes.
import { type Studio, containersOf } from '../model/studio.ts';
import { uriOf } from '../model/uri.ts';

/** The sources of that name in all scenes, and its sound. */
export function urisOfInput(studio: Studio, input: string): string[] {
  const places = placesOf(studio, input).map((container) => uriOf.source(container, input));
  return studio.inputs.get(input)?.audio ? [...places, uriOf.audioInput(input)] : places;
}

/** The scenes and groups that contain a source. */
export function placesOf(studio: Studio, source: string): string[] {
  return containersOf(studio).filter((name) => studio.items.get(name)?.some((item) => item.source === source));
}
