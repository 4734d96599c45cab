// The source map of a bundled chunk, reduced to the lines of this project's modules, which is enough for stack traces.
// The bundler's map is twice as large as the code.
import { decode, encode } from '@jridgewell/sourcemap-codec';

/**
 * @typedef {{ sources: readonly string[], mappings: string }} ChunkMap
 * @param {ChunkMap} map
 */
export function lineMap({ sources, mappings }) {
  const own = sources.filter((source) => !source.includes('node_modules/'));
  const placeOf = new Map(own.map((source, place) => [source, place]));
  /** The source and the line of the code so far. @type {string | undefined} */
  let current;
  const lines = decode(mappings).map((segments) =>
    // A line without segments was added by the bundler, and has no source.
    (segments.length === 0 ? [[0]] : segments).flatMap(([column = 0, source, line, sourceColumn]) => {
      const place = source === undefined ? undefined : placeOf.get(sources[source] ?? '');
      const next = place === undefined ? undefined : `${place}:${line}`;
      if (next === current) return [];
      current = next;
      // Without this segment, the code of other packages would belong to the previous module of this project.
      if (place === undefined) return [[column]];
      return [[column, place, line, sourceColumn]];
    }),
  );
  return JSON.stringify({ version: 3, sources: own, names: [], mappings: encode(lines) });
}
