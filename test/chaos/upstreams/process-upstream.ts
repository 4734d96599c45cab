// Servers on the official SDKs, each in its own process that can be killed. The hub starts those on stdio, the suite
// those on HTTP.
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { eventually } from '@tidings/live/testing';
import type { ServerEntry } from '@tidings/track';
import { FaultyProxy } from '../../support/network/faulty-proxy.ts';
import { freePort } from '../../support/network/free-port.ts';
import type { ChaosUpstream, StartUpstream } from '../upstream.ts';
import { Truth } from './truth.ts';

export type Sdk = 'sdk1' | 'sdk2';

const program = fileURLToPath(new URL('either-server.js', import.meta.url));

/** The parts that both transports share; `sdk` is the SDK of the first start. */
async function onSdk(sdk: Sdk, resources: Record<string, string>) {
  const truth = await Truth.create(resources);
  let current = sdk;
  await truth.choose(current);
  return {
    truth,
    uris: Object.keys(resources),
    resources: truth.resources,
    put: (uri: string, text: string | undefined) => truth.put(uri, text),
    switchEra: async () => {
      current = current === 'sdk1' ? 'sdk2' : 'sdk1';
      await truth.choose(current);
    },
  };
}

export function onStdio(sdk: Sdk): StartUpstream {
  return async (id, resources) => {
    const { truth, ...common } = await onSdk(sdk, resources);
    const args = [program, truth.file, 'stdio'];
    const entry: ServerEntry = { id, command: process.execPath, args, env: {}, enabled: true, trackResources: true };
    return {
      ...common,
      id,
      kind: `${sdk} stdio`,
      entry,
      signal: async (signal) => {
        const pid = await truth.pid();
        if (pid !== undefined) signalIfAlive(pid, signal);
      },
      [Symbol.asyncDispose]: () => truth.remove(),
    };
  };
}

export function onHttp(sdk: Sdk): StartUpstream {
  return async (id, resources) => {
    const { truth, ...common } = await onSdk(sdk, resources);
    const port = await freePort();
    const proxy = await FaultyProxy.open(`http://127.0.0.1:${port}/mcp`);
    let child: ChildProcess | undefined;
    const upstream: ChaosUpstream = {
      ...common,
      id,
      kind: `${sdk} http`,
      entry: { id, url: proxy.url, headers: {}, enabled: true, trackResources: true },
      proxy,
      get pid() {
        return child?.pid;
      },
      signal: async (signal) => {
        const signalled = child;
        if (signalled === undefined || signalled.exitCode !== null || signalled.signalCode !== null) return;
        const ended = new Promise((resolve) => signalled.once('exit', resolve));
        signalled.kill(signal);
        if (signal !== 'SIGSTOP' && signal !== 'SIGCONT') await ended;
      },
      start: async () => {
        child = spawn(process.execPath, [program, truth.file, 'http', String(port)], { stdio: 'inherit' });
        await eventually(`${id} to listen`, async () => (await isOpen(port)) || undefined, 20_000);
      },
      [Symbol.asyncDispose]: async () => {
        await upstream.signal?.('SIGKILL');
        await proxy.close();
        await truth.remove();
      },
    };
    await upstream.start?.();
    return upstream;
  };
}

function signalIfAlive(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended already.
  }
}

async function isOpen(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/mcp`).then(
    () => true,
    () => false,
  );
}
