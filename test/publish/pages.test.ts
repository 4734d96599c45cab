// The pages of the site before VitePress builds it: every document has one, every link leads to a page and a heading
// of it, and the reference is complete. The site itself is built by site.test.ts.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));

let folder: string;
/** By path, such as `reference/live.md`. */
const pages = new Map<string, string>();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tidings-pages-'));
  const { assemblePages }: { assemblePages: (folder: string) => Promise<void> } = await import(
    new URL('publish/site/assemble-pages.js', `file://${root}`).href
  );
  await assemblePages(folder);
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (name.endsWith('.md')) pages.set(name, readFileSync(join(folder, name), 'utf8'));
  }
});

afterAll(() => rm(folder, { recursive: true }));

it('has a page for every document', () => {
  const documents = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.md'),
  );
  expect([...pages.keys()]).toEqual(
    expect.arrayContaining([...documents, 'index.md', 'architecture.md', 'security.md']),
  );
});

it('has links that lead to pages and their headings', () => {
  const broken = [...pages].flatMap(([page, text]) => {
    const links = [...text.matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g)].map(([, link = '']) => link);
    return links.filter((link) => !leadsSomewhere(page, link)).map((link) => `${page}: ${link}`);
  });
  expect(broken).toEqual([]);
});

function leadsSomewhere(page: string, link: string): boolean {
  const [path = '', id] = link.split('#');
  const target = path === '' ? page : posix.join(posix.dirname(page), path);
  const text = pages.get(target);
  if (text === undefined) return existsSync(join(folder, target)) || existsSync(join(folder, 'public', target));
  return id === undefined || headingsOf(text).has(id);
}

/** The headings of a page, as links name them. */
function headingsOf(text: string): Set<string> {
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading);
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
        .replaceAll(/^-|-$/g, ''),
    ),
  );
}

it('has every flag, route and export in its reference', () => {
  const commands = pages.get('reference/commands.md') ?? '';
  for (const text of ['tidings up', 'tidings serve vcon', '--allow-host', 'TIDINGS_DATA']) {
    expect(commands).toContain(text);
  }
  const routes = pages.get('reference/routes.md') ?? '';
  for (const text of ['/api/mcp/resource-events', '/api/versions', 'PATCH']) expect(routes).toContain(text);
  const kit = headingsOf(pages.get('reference/live.md') ?? '');
  for (const name of ['liveserver', 'servehttp', 'webendpoint', 'notfound']) expect([...kit]).toContain(name);
});
