// The subjects of the comparison (the hub, npm's mcp-proxy, and the server alone), each in its own processes.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const fileOf = (path) => fileURLToPath(new URL(path, import.meta.url));
const upstream = fileOf('upstream.js');
const tidings = fileOf('../../packages/hub/bin/tidings.js');
const bareProxy = fileOf('bare-proxy.js');
const proxy = fileOf('../../node_modules/mcp-proxy/dist/bin/mcp-proxy.mjs');

export async function startDirect() {
  const child = start([upstream, '--http']);
  return subject(child, await firstLine(child));
}

export async function startHub() {
  const folder = mkdtempSync(join(tmpdir(), 'tidings-bench-'));
  const config = join(folder, 'servers.json');
  writeFileSync(config, JSON.stringify({ servers: [{ id: 'items', command: process.execPath, args: [upstream] }] }));
  const child = start([tidings, 'up', '--port', '0', '--data', join(folder, 'data'), '--config', config, '--json']);
  const { url } = JSON.parse(await firstLine(child));
  return subject(child, `${url}/mcp/items`, folder);
}

export async function startProxy() {
  const port = await freePort();
  const options = ['--port', `${port}`, '--host', '127.0.0.1', '--server', 'stream'];
  const child = start([proxy, ...options, '--', process.execPath, upstream]);
  await answering(`http://127.0.0.1:${port}/ping`);
  return subject(child, `http://127.0.0.1:${port}/mcp`);
}

/** A minimal proxy. */
export async function startBareProxy() {
  const child = start([bareProxy]);
  return subject(child, await firstLine(child));
}

/** The hub with its default configuration and its three built-in servers; returns the time until it was ready. */
export async function startWholeHub() {
  const folder = mkdtempSync(join(tmpdir(), 'tidings-bench-'));
  const started = performance.now();
  const child = start([tidings, 'up', '--port', '0', '--data', join(folder, 'data'), '--json'], folder);
  const { url } = JSON.parse(await firstLine(child));
  await answering(`${url}/readyz`);
  return { ...subject(child, url, folder), readyMs: performance.now() - started };
}

/** The same, with a probe for its heap size and number of requests. */
export async function startProbedHub() {
  const folder = mkdtempSync(join(tmpdir(), 'tidings-bench-'));
  const probed = ['--expose-gc', '--import', fileOf('heap-probe.js')];
  const args = [...probed, tidings, 'up', '--port', '0', '--data', join(folder, 'data'), '--json'];
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'ignore', 'ipc'] });
  const { url } = JSON.parse(await firstLine(child));
  await answering(`${url}/readyz`);
  /** `requests` or `heap`. */
  const probe = (asked) =>
    new Promise((resolve) => {
      child.once('message', resolve);
      child.send(asked);
    });
  return { ...subject(child, url, folder), probe };
}

function subject(child, url, folder) {
  return {
    url,
    /** In megabytes, of this process alone. */
    memory: () => Number(execFileSync('ps', ['-o', 'rss=', '-p', `${child.pid}`])) / 1024,
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill();
      await ended;
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function start(args, cwd) {
  return spawn(process.execPath, args, { cwd, stdio: ['ignore', 'pipe', 'ignore'] });
}

async function firstLine(child) {
  const lines = createInterface({ input: child.stdout });
  for await (const line of lines) return line;
  throw new Error('The process ended without output.');
}

async function answering(url) {
  for (let tries = 0; tries < 1000; tries += 1) {
    const answer = await fetch(url).catch(() => undefined);
    if (answer?.ok) return;
    await pause(10);
  }
  throw new Error(`Nothing answers at ${url}.`);
}

async function freePort() {
  const probe = createServer();
  await new Promise((resolve) => void probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address();
  await new Promise((resolve) => void probe.close(resolve));
  return port;
}
