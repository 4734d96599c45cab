// The source maps of the command's bundle: a stack trace (`node --enable-source-maps`) names lines of the sources.
import { readFileSync, readdirSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const packages = fileURLToPath(new URL('../../packages', import.meta.url));
const folder = join(packages, 'hub/dist/command');

class Chunk {
  readonly lines: readonly string[];
  readonly #map: SourceMap | undefined;

  constructor(name: string) {
    const text = readFileSync(join(folder, name), 'utf8');
    this.lines = text.split('\n');
    const map = /^\/\/# sourceMappingURL=(\S+)$/m.exec(text)?.[1];
    this.#map = map === undefined ? undefined : new SourceMap(JSON.parse(readFileSync(join(folder, map), 'utf8')));
  }

  /** The source and its line, as `file:line`. */
  originOf(line: number, column: number): string | undefined {
    const entry = this.#map?.findEntry(line, column);
    if (!entry || !('originalSource' in entry) || entry.originalSource === undefined) return undefined;
    return `${join(folder, entry.originalSource)}:${entry.originalLine + 1}`;
  }
}

const chunks = readdirSync(folder)
  .filter((name) => name.endsWith('.js'))
  .map((name) => new Chunk(name));

/** A `throw` with a message, outside comments. */
const thrown = /(?<!^\s*\*.*)throw new \w+\(.*?(['"])([^'"\\]{20,})\1/;

/** Error messages that are thrown in a single place, with that place. */
function placesOfErrors(): Map<string, string> {
  const places = new Map<string, string[]>();
  const files = readdirSync(packages, { recursive: true, encoding: 'utf8' });
  for (const file of files.filter((path) => /^\w+\/src\/(?!testing\/).*(?<!\.test)\.ts$/.test(path))) {
    const path = join(packages, file);
    for (const [index, line] of readFileSync(path, 'utf8').split('\n').entries()) {
      const message = thrown.exec(line)?.[2];
      if (message) places.set(message, [...(places.get(message) ?? []), `${path}:${index + 1}`]);
    }
  }
  return new Map(
    [...places].flatMap(([text, [place, ...more]]) => (place && more.length === 0 ? [[text, place]] : [])),
  );
}

it('names the source and the line of own code', () => {
  const places = placesOfErrors();
  const found = chunks.flatMap((chunk) =>
    chunk.lines.flatMap((content, line) => {
      const match = thrown.exec(content);
      const place = places.get(match?.[2] ?? '');
      return match && place ? [{ place, origin: chunk.originOf(line, match.index) }] : [];
    }),
  );
  expect(found.length).toBeGreaterThan(50);
  expect(found.filter(({ place, origin }) => place !== origin)).toEqual([]);
});

it('omits the sources of other packages', () => {
  const mapped = chunks.flatMap((chunk) => {
    let isForeign = false;
    return chunk.lines.flatMap((content, line) => {
      if (/^\/\/ (?:packages|examples)\//.test(content)) isForeign = false;
      if (content.startsWith('// node_modules/')) isForeign = true;
      const isDeclaration = /^(?:function|class|const|var) /.test(content);
      return isForeign && isDeclaration ? [chunk.originOf(line, 4)] : [];
    });
  });
  expect(mapped.length).toBeGreaterThan(1000);
  expect(mapped.filter((origin) => origin !== undefined)).toEqual([]);
});
