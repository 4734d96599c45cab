// The path of a new user: the README's first command in a fresh clone with an empty home, then every command that
// README, getting started and the pages about hosts show, exactly as printed.
import { readFileSync, readdirSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { eventually } from '@tidings/live/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { chromiumNeed, launch, openPage } from '../dashboard/open-page.ts';
import { registryNeed } from '../pack/installation.ts';
import { describeWith } from '../support/run/needs.ts';
import { isWhole } from '../support/run/proof-size.ts';
import { FreshClone, type Running } from './fresh-clone.ts';

const patienceMs = 600_000;
const root = new URL('../../', import.meta.url);
const pages = [
  'README.md',
  'docs/getting-started.md',
  ...readdirSync(new URL('docs/hosts/', root)).map((name) => `docs/hosts/${name}`),
];

/** Commands that run until they are stopped. */
const endless = /^(?:curl -N|npx tidings (?:up|watch)) ?/;
/** The first one runs before all others; the second one would run this test again. */
const runElsewhere = new Set(['npm ci && npm start', 'npm ci && npm test']);
/** Commands that test/pack proves; only `npm run prove` runs them as printed. */
const packs = /^npm run pack$|^npm install --global dist\/packages\/|^tidings --version$/;

const serversSchema = z.object({ servers: z.array(z.object({ id: z.string(), state: z.string() })) });

const commands = pages.flatMap((page) => {
  const blocks = readFileSync(new URL(page, root), 'utf8').matchAll(/^```sh\n(.*?)^```$/gms);
  const lines = [...blocks].map(([, block = '']) => block.trim().split('\n'));
  return lines.flatMap((block) =>
    block.map((command, index) => ({ page, command, isLast: index === block.length - 1 })),
  );
});

/** A command that occurs on several pages runs once, except in `npm run prove`. */
function isRun({ command }: (typeof commands)[number], index: number): boolean {
  if (runElsewhere.has(command)) return false;
  return isWhole || (!packs.test(command) && commands.findIndex((each) => each.command === command) === index);
}

describeWith(registryNeed, 'a fresh clone in an empty home', () => {
  let clone: FreshClone;
  let hub: Running;
  let url: string;
  let startedAt: number;

  beforeAll(async () => {
    clone = await FreshClone.create();
    // The gate has run `npm ci` in a clean checkout before.
    if (isWhole) await clone.run('npm ci');
    else await clone.takeOver();
    startedAt = performance.now();
    hub = clone.start('npm start -- --port 0');
    url = await clone.printed(hub, /^Tidings is up at (\S+)$/m, patienceMs / 2);
  }, patienceMs);
  afterAll(async () => {
    await hub.end();
    await clone[Symbol.asyncDispose]();
  });

  describeWith(chromiumNeed, 'in a browser', () => {
    it(
      'shows a changing resource',
      async () => {
        const browser = await launch();
        try {
          await using opened = await openPage(browser, url);
          await opened.page.getByRole('region', { name: 'What is changing' }).getByRole('listitem').first().waitFor();
          const seconds = (performance.now() - startedAt) / 1000;
          console.log(`From npm start to the first change on the screen: ${seconds.toFixed(1)} s`);
        } finally {
          await browser.close();
        }
      },
      patienceMs,
    );
  });

  it('has a hub with a page and resources after npm ci && npm start', async () => {
    expect(hub.printed()).toContain('Building …');
    const page = await fetch(url);
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(await page.text()).toContain('Tidings');
    const recent = await fetch(`${url}/resources/vcon%3A%2F%2Fv1%2Fvcons%2Frecent%2F10`);
    expect(await recent.json()).toMatchObject({ count: 4 });
  });

  it('finds commands in every page', () => {
    expect([...new Set(commands.map(({ page }) => page))]).toEqual(pages);
    expect(commands.filter(({ command }) => runElsewhere.has(command)).length).toBeGreaterThan(1);
  });

  it('has blocks that can be pasted whole, also into zsh, which does not ignore comments', () => {
    expect(commands.filter(({ command }) => command.includes('#'))).toEqual([]);
    expect(commands.filter(({ command, isLast }) => endless.test(command) && !isLast)).toEqual([]);
  });

  it.each(commands.filter(isRun))(
    '$page: $command',
    async ({ command }) => {
      // Free ports, since several hubs may run on this machine.
      const env = { TIDINGS_HUB: url, TIDINGS_PORT: '0', TIDINGS_DATA: join(clone.folder, '.tidings', 'own') };
      const pasted = command.replaceAll('http://127.0.0.1:7411', url);
      if (endless.test(command)) await clone.tryOut(pasted, env, patienceMs / 4);
      else await clone.run(pasted, env);
    },
    patienceMs,
  );

  it(
    'starts the servers of the configuration in getting started',
    async () => {
      const page = readFileSync(new URL('docs/getting-started.md', root), 'utf8');
      const [, written = ''] = /`(config\/mcp-servers\.json)`/.exec(page) ?? [];
      const [, block = ''] = /^```json\n(.*?)^```$/ms.exec(page) ?? [];
      await mkdir(join(clone.folder, dirname(written)));
      await writeFile(join(clone.folder, written), block);
      const own = clone.start('npx tidings up --trust', {
        TIDINGS_PORT: '0',
        TIDINGS_DATA: join(clone.folder, '.tidings', 'configured'),
      });
      try {
        const its = await clone.printed(own, /^Tidings is up at (\S+)$/m, patienceMs / 4);
        await eventually('memory is live', async () => {
          const { servers } = serversSchema.parse(await (await fetch(`${its}/api/servers`)).json());
          return servers.some(({ id, state }) => id === 'memory' && state === 'live');
        });
      } finally {
        await own.end();
      }
    },
    patienceMs,
  );
});
