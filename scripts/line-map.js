// The source map of a bundled chunk, reduced to what a stack trace needs: the lines of our own modules. As the bundler
// makes it, it is twice as large as the code.
import { decode, encode } from '@jridgewell/sourcemap-codec';

/**
 * @typedef {{ sources: readonly string[], mappings: string }} ChunkMap
 * @param {ChunkMap} map
 */
export function lineMap({ sources, mappings }) {
  const own = sources.filter((source) => !source.includes('node_modules/'));
  const placeOf = new Map(own.map((source, place) => [source, place]));
  /** The source and the line that the code so far is of. @type {string | undefined} */
  let current;
  const lines = decode(mappings).map((segments) =>
    // Of a line without any, such as one that the bundler added, nothing is known.
    (segments.length === 0 ? [[0]] : segments).flatMap(([column = 0, source, line, sourceColumn]) => {
      const place = source === undefined ? undefined : placeOf.get(sources[source] ?? '');
      const next = place === undefined ? undefined : `${place}:${line}`;
      if (next === current) return [];
      current = next;
      // Without it, what others wrote would count to our module before it.
      if (place === undefined) return [[column]];
      return [[column, place, line, sourceColumn]];
    }),
  );
  return JSON.stringify({ version: 3, sources: own, names: [], mappings: encode(lines) });
}
