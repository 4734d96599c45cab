// Each requirement of users who move to Tidings names an existing test, and a documented reason if it is met in another
// way.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { acceptanceTables } from './all.ts';

const rows = Object.values(acceptanceTables).flat();

describe.each(Object.entries(acceptanceTables))('the requirements of %s', (system, table) => {
  it('have unique ids, which begin with the system', () => {
    const ids = table.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => !id.startsWith(`${system}-`))).toEqual([]);
  });

  it('name existing tests', () => {
    const missing = table.filter(({ shownBy }) => !exists(shownBy.file, shownBy.test));
    expect(missing.map(({ id, shownBy }) => `${id}: "${shownBy.test}" in ${shownBy.file}`)).toEqual([]);
  });
});

it('every difference has its reason in docs/moving-over.md', () => {
  const document = read('docs/moving-over.md').replaceAll(/\s+/g, ' ');
  const differing = rows.filter(({ state }) => state === 'differs');
  expect(differing.filter(({ reason = '' }) => reason === '' || !document.includes(reason))).toEqual([]);
});

function exists(file: string, test: string): boolean {
  const text = read(file);
  const spellings = [test, test.replaceAll("'", String.raw`\'`)];
  return spellings.some((title) => ["'", '"', '`'].some((quote) => text.includes(`${quote}${title}${quote}`)));
}

function read(file: string): string {
  try {
    return readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
  } catch {
    return '';
  }
}
