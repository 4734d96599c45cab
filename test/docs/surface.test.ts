// Exports are documented at their declaration, for editors: each has a comment, and each function and class an
// example.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const read = (path: string) => readFileSync(new URL(`../../packages/${path}`, import.meta.url), 'utf8');

interface Declared {
  name: string;
  comment: string;
  kind: string;
  /** Of an interface. */
  members: string;
}

/** The exports of an entry, such as `live/index`, with the comments before their declarations. */
function surfaceOf(entry: string): Declared[] {
  const [name = '', file = ''] = entry.split('/');
  const exported = read(`${name}/src/${file}.ts`).matchAll(/^export (?:type )?\{([^}]*)\} from '\.\/([^']*)';$/gm);
  return [...exported].flatMap(([, names = '', path = '']) => {
    const source = read(`${name}/src/${path}`);
    return names
      .split(',')
      .map((each) => each.trim())
      .filter((each) => each !== '')
      .map((each) => declared(each, source));
  });
}

function declared(name: string, source: string): Declared {
  const kinds = 'class|async function\\*?|function|const|interface|type';
  const pattern = new RegExp(`(/\\*\\*(?:(?!\\*/)[^])*\\*/\\n)?export (${kinds}) ${name}\\b([^]*?\\n\\}\\n)?`);
  const [, comment = '', kind = '', body = ''] = pattern.exec(source) ?? [];
  return { name, comment, kind, members: kind === 'interface' ? body : '' };
}

/** The optional members of an interface, as `interface.member`, whose comment does not state their default. */
function withoutDefault({ name, members }: Declared): string[] {
  const optional = /(?: {2}\/\*\*((?:(?!\*\/)[^])*)\*\/\n)? {2}(?:readonly )?(\w+)\?[(:<]/g;
  const said = [...members.matchAll(optional)].map(([, comment = '', member]) => ({ comment, member }));
  return said.filter(({ comment }) => !comment.includes('Default:')).map(({ member }) => `${name}.${member}`);
}

const entries = [
  'live/index',
  'live/web',
  'live/testing',
  'live/time',
  'store/index',
  'client/index',
  'track/index',
  'track/session',
  'bus/index',
];

describe.each(entries)('the exports of %s', (entry) => {
  const surface = surfaceOf(entry);

  it('are found', () => {
    expect(surface.length).toBeGreaterThan(2);
    expect(surface.filter(({ kind }) => kind === '')).toEqual([]);
  });

  it('have a comment', () => {
    expect(surface.filter(({ comment }) => comment === '').map((each) => each.name)).toEqual([]);
  });

  it('state the default of each option', () => {
    const options = surface.filter(({ name }) => /(?:Options|Details|Rule)$/.test(name));
    expect(options.flatMap(withoutDefault)).toEqual([]);
  });

  it('have an example, if they are functions or classes', () => {
    const called = surface.filter(({ kind }) => /class|function/.test(kind));
    expect(called.filter(({ comment }) => !comment.includes('@example')).map((each) => each.name)).toEqual([]);
  });
});
