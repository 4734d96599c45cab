// Documents that say what the code says.
import { readFileSync } from 'node:fs';
import { errorCodes } from '@tidings/live';
import { describe, expect, it } from 'vitest';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

describe('docs/errors.md', () => {
  const rows = read('docs/errors.md').matchAll(/^\| `(\w+)`\s*\| (-\d+).*?\| (\d+)/gm);
  const documented = [...rows].map(([, code, rpc, http]) => [code, Number(rpc), Number(http)]);

  it('has a row for every code, with its numbers', () => {
    expect(documented).toEqual(Object.entries(errorCodes).map(([code, { rpc, http }]) => [code, rpc, http]));
  });
});

describe('quoted code', () => {
  const quotes = [...read('README.md').matchAll(/<!-- (examples\/src\/\S+) -->\s+```ts\n(.+?)```/gs)];

  it('is quoted somewhere', () => {
    expect(quotes.length).toBeGreaterThan(0);
  });

  it.each(quotes.map(([, path = '', code = '']) => ({ path, code })))('is what $path says', ({ path, code }) => {
    expect(code).toBe(read(path));
  });
});
