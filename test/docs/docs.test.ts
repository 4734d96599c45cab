// Documents agree with the code.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import { errorCodes } from '@tidings/live';
import { connectMemory } from '@tidings/live/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { keepTold } from './quoted/agents.ts';
import { serveConversations } from './quoted/conversations.ts';
import { follow } from './quoted/follow.ts';
import { notesOfFastmcp } from './quoted/from-fastmcp.ts';
import { notesOfKit, notesOfSdk } from './quoted/from-sdk.ts';
import { writeAndHear } from './quoted/notes.ts';
import { app } from './quoted/web.ts';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

describe('docs/errors.md', () => {
  const rows = read('docs/errors.md').matchAll(/^\| `(\w+)`\s*\| (-\d+).*?\| (\d+)/gm);
  const documented = [...rows].map(([, code, rpc, http]) => [code, Number(rpc), Number(http)]);

  it('has a row for every code, with its numbers', () => {
    expect(documented).toEqual(Object.entries(errorCodes).map(([code, { rpc, http }]) => [code, rpc, http]));
  });
});

const documents = [
  'README.md',
  ...readdirSync(new URL('../../docs', import.meta.url), { encoding: 'utf8', recursive: true }).map(
    (name) => `docs/${name}`,
  ),
];
const readmes = [
  'examples',
  ...readdirSync(new URL('../../packages', import.meta.url)).map((name) => `packages/${name}`),
]
  .map((folder) => `${folder}/README.md`)
  .filter((path) => existsSync(new URL(`../../${path}`, import.meta.url)));
const pages = [...documents.filter((path) => path.endsWith('.md')), ...readmes];

describe.each(pages)('code in %s', (page) => {
  const text = read(page);
  const quotes = [...text.matchAll(/<!-- (\S+\.[jt]s) -->\s+```[jt]s\n(.+?)```/gs)];

  it('is quoted from code that is compiled and run', () => {
    expect(quotes).toHaveLength(text.match(/^```(ts|js|typescript|javascript)$/gm)?.length ?? 0);
  });

  for (const [, path = '', code = ''] of quotes) {
    it(`is equal to ${path}`, () => {
      // Inside a function, the code is indented further.
      const lines = (written: string) => written.split('\n').map((line) => line.trim());
      expect(lines(read(path)).join('\n')).toContain(lines(code).join('\n').trim());
    });
  }
});

describe('quoted code', () => {
  it('is in the README as a whole', () => {
    expect(read('README.md')).toContain(read('examples/src/weather.ts'));
  });

  it('works as documented', async () => {
    const place = await mkdtemp(join(tmpdir(), 'tidings-docs-'));
    onTestFinished(() => rm(place, { recursive: true, force: true, maxRetries: 5 }));
    expect(await writeAndHear(place)).toBe('It works.');
    expect((await app.request('http://mcp.example.com/mcp')).status).toBe(401);
    const conversations = await serveConversations(place);
    expect((await fetch(conversations.url)).status).toBe(400);
    await conversations.close();
    const file = join(place, 'servers.json');
    await writeFile(file, '{"servers":[]}');
    const { url, close } = await follow(file, place);
    expect((await fetch(url)).headers.get('content-type')).toBe('text/event-stream');
    keepTold({ transport: { sendEvent: () => undefined } }, new URL(url).origin)();
    await close();
  });
});

describe('servers side by side', () => {
  it('behave the same', async () => {
    const notes = new Map([['a b', 'one']]);
    const ours = await connectMemory(notesOfKit(notes), 'legacy');
    const [here, there] = InMemoryTransport.createLinkedPair();
    await notesOfSdk(notes).connect(there);
    const theirs = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: 'legacy' } });
    await theirs.connect(here);
    const { resources } = await theirs.listResources();
    expect(await ours.listAll()).toEqual(resources.map(({ uri }) => uri));
    const { contents } = await theirs.readResource({ uri: 'note://a%20b' });
    expect(contents).toMatchObject([{ text: await ours.read('note://a%20b') }]);
    expect(notesOfFastmcp(notes)).toBeDefined();
    await ours.close();
    await theirs.close();
  });
});

describe('links between documents', () => {
  const linking = [...pages, 'SECURITY.md', 'ARCHITECTURE.md', 'AGENTS.md', 'CHANGELOG.md', 'CONTRIBUTING.md'];

  it.each(linking)('of %s have targets', (page) => {
    const links = [...read(page).matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, path = '']) => path);
    const missing = links.filter((path) => !existsSync(new URL(path, new URL(`../../${page}`, import.meta.url))));
    expect(missing).toEqual([]);
  });

  it.each(linking)('of %s name existing headings', (page) => {
    const links = [...read(page).matchAll(/\]\((?!https?:)([^)#\s]*)#([^)\s]+)\)/g)];
    const missing = links.filter(([, path = '', heading = '']) => {
      const target = path === '' ? page : posix.join(posix.dirname(page), path);
      return target.endsWith('.md') && !anchorsOf(read(target)).includes(heading);
    });
    expect(missing.map(([link]) => link)).toEqual([]);
  });

  /** As GitHub makes them from the headings. */
  function anchorsOf(text: string): string[] {
    return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(/\s/g, '-'),
    );
  }
});

describe('paths in documents', () => {
  const root = new URL('../../', import.meta.url);
  const isSource = (path: string) => !/(^|\/)(node_modules|dist|\.build)(\/|$)/.test(path);
  const files = ['packages', 'examples', 'test', 'bench', 'scripts', 'docs'].flatMap((folder) =>
    sourcesIn(new URL(`${folder}/`, root)).map((path) => `/${folder}/${path}`),
  );

  function sourcesIn(folder: URL): string[] {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      if (!isSource(entry.name)) return [];
      if (!entry.isDirectory()) return [entry.name];
      return sourcesIn(new URL(`${entry.name}/`, folder)).map((path) => `${entry.name}/${path}`);
    });
  }

  // A document may name a path from a package's src/ or from the middle of it; some file must end that way.
  it.each([...pages, 'SECURITY.md', 'ARCHITECTURE.md', 'AGENTS.md', 'CONTRIBUTING.md', 'packages/track/SPEC.md'])(
    'of %s exist',
    (page) => {
      const named = [...read(page).matchAll(/`([\w@.-]+(?:\/[\w@.-]+)*(?:\/|\.(?:ts|js|sh)))`/g)].map(
        ([, path = '']) => path,
      );
      const missing = named.filter((path) => {
        if (path.endsWith('/')) return !files.some((file) => file.includes(`/${path}`));
        return !files.some((file) => file.endsWith(`/${path}`));
      });
      expect(missing).toEqual([]);
    },
  );
});
