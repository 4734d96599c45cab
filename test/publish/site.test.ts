// `npm run docs`: the site builds, every link in it leads to a page, and the reference is complete.
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, expect, it } from 'vitest';
import { registryNeed } from '../pack/installation.ts';
import { describeWith } from '../support/run/needs.ts';
import { sharedService } from '../support/run/shared-services.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const site = join(root, 'dist', 'site');

describeWith(registryNeed, 'the site', () => {
  /** By path, such as `reference/live.html`. */
  const pages = new Map<string, string>();

  beforeAll(async () => {
    await sharedService('publishing');
    await promisify(execFile)(process.execPath, ['publish/site/build.js'], { cwd: root });
    for (const name of readdirSync(site, { recursive: true, encoding: 'utf8' })) {
      if (name.endsWith('.html')) pages.set(name, readFileSync(join(site, name), 'utf8'));
    }
  }, 600_000);

  it('has a page for every document', () => {
    const documents = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.md'),
    );
    const missing = documents.filter((name) => !pages.has(name.replace(/\.md$/, '.html')));
    expect(missing).toEqual([]);
    expect([...pages.keys()]).toEqual(expect.arrayContaining(['index.html', 'architecture.html', 'security.html']));
  });

  it('has links that lead to pages and their headings', () => {
    const broken = [...pages].flatMap(([page, html]) => {
      const links = [...html.matchAll(/<a [^>]*href="(?!https?:|mailto:)([^"]+)"/g)].map(([, link = '']) => link);
      return links.filter((link) => !leadsSomewhere(page, link)).map((link) => `${page}: ${link}`);
    });
    expect([...new Set(broken)]).toEqual([]);
  });

  function leadsSomewhere(page: string, link: string): boolean {
    const { pathname, hash } = new URL(link, `https://site.example/${page}`);
    const path = decodeURI(pathname).slice(1);
    const target = [`${path}.html`, path, join(path, 'index.html')].find((each) => pages.has(each));
    if (target === undefined) return path !== '' && existsSync(join(site, path));
    const id = decodeURIComponent(hash.slice(1));
    return id === '' || (pages.get(target)?.includes(`id="${id}"`) ?? false);
  }

  it('has a text version for language models', () => {
    expect(readFileSync(join(site, 'llms.txt'), 'utf8')).toContain('/getting-started.md');
    expect(readFileSync(join(site, 'llms-full.txt'), 'utf8')).toContain('liveServer');
  });

  it('has every flag, route and export in its reference', () => {
    const commands = pages.get('reference/commands.html') ?? '';
    for (const text of ['tidings up', 'tidings serve vcon', '--allow-host', 'TIDINGS_DATA']) {
      expect(commands).toContain(text);
    }
    const routes = pages.get('reference/routes.html') ?? '';
    for (const text of ['/api/mcp/resource-events', '/api/versions', 'PATCH']) expect(routes).toContain(text);
    const kit = pages.get('reference/live.html') ?? '';
    for (const name of ['liveserver', 'servehttp', 'webendpoint', 'notfound']) expect(kit).toContain(`id="${name}"`);
  });
});
