// `npm run third-party`: compares third-party servers directly, through the hub, and on the dashboard.
//   -- --only memory,github   some of them
// They are installed into .tidings/third-party, which needs a registry. Lists of names are compared; the dashboard
// needs Chromium.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { chromium } from 'playwright-core';
import { thirdParty } from './third-party/servers.js';

const { values: options } = parseArgs({ options: { only: { type: 'string' } } });
const only = options.only?.split(',');
const chosen = thirdParty.filter(({ id }) => only?.includes(id) ?? true);
const folder = resolve('.tidings/third-party');
/** Each list, with the member that identifies its items. */
const lists = /** @type {const} */ ({
  tools: ['listTools', 'tools', 'name'],
  prompts: ['listPrompts', 'prompts', 'name'],
  resources: ['listResources', 'resources', 'uri'],
  templates: ['listResourceTemplates', 'resourceTemplates', 'uriTemplate'],
});

mkdirSync(folder, { recursive: true });
if (!existsSync(join(folder, 'package.json'))) writeFileSync(join(folder, 'package.json'), '{ "private": true }');
const install = ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...chosen.map(({ spec }) => spec)];
const shell = process.platform === 'win32';
if (spawnSync('npm', install, { cwd: folder, stdio: 'inherit', shell }).status !== 0) process.exit(1);

const data = mkdtempSync(join(tmpdir(), 'tidings-third-party-'));
const config = join(data, 'servers.json');
const entries = chosen.map(({ id, spec, args = [], env = {} }) => ({
  id,
  started: { command: process.execPath, args: [programOf(spec), ...args], env, cwd: folder },
}));
const mcpServers = Object.fromEntries(entries.map(({ id, started }) => [id, started]));
writeFileSync(config, JSON.stringify({ mcpServers }));
const up = ['packages/hub/bin/tidings.js', 'up', '--port', '0', '--json', '--config', config, '--data', data];
const hub = spawn(process.execPath, [...up, '--log-level', 'error'], { stdio: ['ignore', 'pipe', 'inherit'] });
let different = 0;
try {
  const [line] = await once(createInterface(hub.stdout), 'line');
  const { url } = JSON.parse(line);
  const page = await openPage(url);
  for (const { id, started } of entries) {
    const transport = new StdioClientTransport({ ...started, stderr: 'ignore' });
    const direct = await listed(transport).catch(String);
    const through = await listed(new StreamableHTTPClientTransport(new URL(`/mcp/${id}`, url))).catch(String);
    const shown = typeof direct === 'string' ? undefined : await page?.counts(id, direct);
    const isSame = typeof direct !== 'string' && JSON.stringify(direct) === JSON.stringify(through);
    const isFine = isSame && (page === undefined || shown === 'the same');
    if (!isFine) different += 1;
    console.log(`${isFine ? 'ok ' : '!! '} ${id.padEnd(20)} ${counts(direct)}`);
    if (!isSame) console.log(`    through the hub: ${counts(through)}`);
    if (shown !== undefined && shown !== 'the same') console.log(`    on the page: ${shown}`);
  }
  await page?.close();
} finally {
  const ended = once(hub, 'close');
  hub.kill();
  await ended;
  rmSync(data, { recursive: true, force: true, maxRetries: 5 });
}
console.log(`${chosen.length - different} of ${chosen.length} are the same through the hub and on the page.`);
process.exitCode = different === 0 ? 0 : 1;

/** @param {string} spec */
function programOf(spec) {
  const name = spec.slice(0, spec.lastIndexOf('@'));
  const { bin } = JSON.parse(readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8'));
  const [program] = typeof bin === 'string' ? [bin] : Object.values(bin);
  return join(folder, 'node_modules', name, program);
}

/** The names in each list. @param {import('@modelcontextprotocol/sdk/shared/transport.js').Transport} transport */
async function listed(transport) {
  const client = new Client({ name: 'third-party', version: '1.0.0' });
  await client.connect(transport);
  try {
    const capabilities = client.getServerCapabilities() ?? {};
    const found = {};
    for (const [kind, [method, member, name]] of Object.entries(lists)) {
      const isThere = capabilities[kind === 'templates' ? 'resources' : kind] !== undefined;
      // Many servers have resources and no list of templates.
      const answer = isThere ? await client[method]().catch(() => undefined) : undefined;
      found[kind] = (answer?.[member] ?? []).map((item) => item[name]).sort();
    }
    return found;
  } finally {
    await client.close();
  }
}

/** @param {string | Record<string, readonly string[]>} found */
function counts(found) {
  if (typeof found === 'string') return found;
  return Object.entries(found)
    .map(([kind, names]) => `${names.length} ${kind}`)
    .join(', ');
}

/** The dashboard in a browser, if one is installed. @param {string} url */
async function openPage(url) {
  const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
  if (executablePath === undefined) return undefined;
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const browser = await chromium.launch({ executablePath, args });
  const page = await browser.newPage();
  return {
    close: () => browser.close(),
    /** @param {string} id @param {Record<string, readonly string[]>} wanted */
    counts: async (id, wanted) => {
      await page.goto('about:blank');
      await page.goto(`${url}/#/servers?id=${id}`);
      const missing = [];
      for (const [kind, heading] of Object.entries({ tools: 'Tools', prompts: 'Prompts', templates: 'Templates' })) {
        const section = page.getByRole('region', { name: heading }).locator('details');
        const size = wanted[kind]?.length ?? 0;
        if (size > 0)
          await section
            .first()
            .waitFor({ timeout: 15_000 })
            .catch(() => undefined);
        const there = await section.count();
        if (there !== size) missing.push(`${there} ${kind}`);
      }
      const resources = page.getByRole('link', { name: new RegExp(`^${wanted['resources']?.length} resources?$`) });
      await resources.waitFor({ timeout: 15_000 }).catch(() => missing.push('other resources'));
      return missing.join(', ') || 'the same';
    },
  };
}
