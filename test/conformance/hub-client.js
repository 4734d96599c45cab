// The client that the conformance suite runs: it does what a scenario wants through a hub whose only server is the one
// that the suite plays. So what the suite judges is the tracker's client, and what the hub makes of a host's requests.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

const url = process.argv.at(-1) ?? '';
const { toolCalls } = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}');
const tidings = fileURLToPath(new URL('../../packages/hub/bin/tidings.js', import.meta.url));

const folder = mkdtempSync(join(tmpdir(), 'tidings-conformance-'));
const config = join(folder, 'servers.json');
writeFileSync(config, JSON.stringify({ servers: [{ id: 'suite', url }] }));
const args = [tidings, 'up', '--port', '0', '--data', join(folder, 'data'), '--config', config, '--json'];
const hub = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
const ended = new Promise((resolve) => hub.once('exit', resolve));
const stop = () => hub.kill();
process.once('SIGTERM', stop);
try {
  for await (const line of createInterface({ input: hub.stdout })) {
    const { url: address } = JSON.parse(line);
    await isLive(address);
    await callAll(`${address}/mcp/suite`);
    break;
  }
} finally {
  stop();
  await ended;
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** Some scenarios end before the server is: their checks are about the first requests. */
async function isLive(address) {
  for (let tries = 0; tries < 100; tries += 1) {
    const { servers } = await (await fetch(`${address}/api/servers`)).json();
    if (servers.some(({ id, state }) => id === 'suite' && state === 'live')) return;
    await pause(100);
  }
}

async function callAll(address) {
  const client = new Client(
    { name: 'conformance', version: '1.0.0' },
    {
      versionNegotiation: { mode: 'auto' },
      capabilities: { elicitation: { form: { applyDefaults: true } }, sampling: {}, roots: {} },
    },
  );
  client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: {} }));
  await client.connect(new StreamableHTTPClientTransport(new URL(address)));
  const { tools } = await client.listTools();
  for (const { name, inputSchema } of tools) {
    const own = toolCalls?.filter((call) => call.name === name).map((call) => call.arguments);
    for (const given of own ?? [argumentsFor(inputSchema)]) {
      await client.callTool({ name, arguments: given }).catch((error) => console.error(name, error));
    }
  }
  await client.close();
}

function argumentsFor({ properties = {} }) {
  const values = { number: 1, integer: 1, boolean: true };
  return Object.fromEntries(Object.entries(properties).map(([name, { type }]) => [name, values[type] ?? 'text']));
}
