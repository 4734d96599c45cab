// Runs the hub until a signal ends it.
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { delay, systemClock } from '@tidings/live/time';
import type { Config } from '@tidings/track';
import type { ServerStatus } from '@tidings/client/contract';
import { pino } from 'pino';
import { Demo } from '../demo/demo.ts';
import { Hub } from '../hub.ts';
import { logStream } from '../terminal/log-stream.ts';
import { printError, printLine, printJson } from '../terminal/print-line.ts';
import { accessTerms } from '../setup/access-terms.ts';
import { builtinServers } from './builtin-servers.ts';
import { configuration } from '../setup/configuration.ts';
import { exposure } from '../setup/exposure.ts';
import type { Redactions } from '../setup/known-redaction.ts';
import { type HttpSettings, explained } from '../serve/listen-on.ts';
import { localUser } from '../audit/record-command.ts';
import { exitWithin } from '../terminal/exit-within.ts';
import { stopOnSignal } from '../terminal/stop-on-signal.ts';

export interface UpSettings extends HttpSettings {
  data: string;
  config?: string;
  /** Host names, besides those of this machine, by which clients reach the hub. */
  allowHost?: readonly string[];
  trust?: boolean;
  demo?: boolean;
  json?: boolean;
  logLevel: string;
}

/** The process exits after this, even if connections or server processes remain. */
const patienceMs = 2500;
/** How long the first output waits for servers to connect; after that it is printed anyway. */
const greetingMs = 1500;

export async function up(settings: UpSettings): Promise<void> {
  const { data, port, host, allowHost = [], insecure = false, demo: isDemo = false } = settings;
  const stopped = once(stopOnSignal(), 'abort');
  const log = pino(
    // Without a serializer, pino writes an error as {}.
    { level: settings.logLevel, serializers: { error: pino.stdSerializers.err } },
    logStream(),
  );
  let redactions: Redactions = {};
  const builtins = builtinServers({ data, isDemo, redactions: () => redactions });
  const found = await configuration({ config: settings.config, trust: settings.trust, otherwise: builtins.config });
  const termsDeps = { file: found.file, env: process.env };
  redactions = await accessTerms(found.config, termsDeps);
  const { TIDINGS_TOKEN: token } = process.env;
  const exposed = ({ tokens, hosts = [] }: Config) => {
    const given = token || tokens.map(({ env }) => process.env[env]).find(Boolean);
    return exposure(host, given, insecure, [...allowHost, ...hosts]);
  };
  exposed(found.config);
  // Without the names of the configuration: HubHttp adds those, since they can change.
  const { allowedHosts } = exposure(host, undefined, true, allowHost);
  const served = new Set(found.config.servers.flatMap((entry) => ('builtin' in entry ? [entry.builtin] : [])));
  const demo = new Demo({ builtins, served, clock: systemClock, log, isTrial: isDemo });
  const hub = await Hub.open({
    config: found.config,
    builtins,
    place: data,
    token,
    env: process.env,
    allowedHosts,
    pages: dashboardFolder(),
    demo,
    log,
  });
  if (found.wasAgreed) {
    const servers = found.config.servers.flatMap((entry) => ('command' in entry ? [entry.id] : []));
    const detail = `commands of ${servers.join(', ')}`;
    hub.audit.record({ who: localUser(), method: 'trust', outcome: 'ok', detail });
  }
  const watcher = found.watch(
    systemClock,
    async (config) => {
      // An edit that removes the last token must not open the hub to other machines.
      exposed(config);
      redactions = await accessTerms(config, termsDeps);
      hub.apply(config);
    },
    (reason) => {
      printError(`The configuration was not changed: ${reason}`);
      hub.audit.record({ who: '-', method: 'configuration', outcome: 'refused', code: 'INVALID' });
    },
  );
  try {
    const address = await hub.http.listen(port, host).catch((error: unknown) => {
      throw explained(error, port, host);
    });
    if (isDemo) {
      await demo.load();
      demo.start();
    }
    await settled(hub, stopped);
    greet(hub.tracker.servers(), `http://${shownHost(address.host)}:${address.port}`, {
      ...settings,
      file: found.file,
      asksForToken: Boolean(token) || found.config.tokens.length > 0,
    });
    await stopped;
    exitWithin(patienceMs, 'a client or a server that did not close its connection');
  } finally {
    watcher.close();
    await demo.close();
    await hub.close();
  }
}

async function settled(hub: Hub, stopped: Promise<unknown>): Promise<void> {
  const deadline = systemClock.now() + greetingMs;
  while (!hub.isReady && systemClock.now() < deadline) {
    await Promise.race([delay(systemClock, 20), stopped]);
  }
}

function greet(
  servers: readonly ServerStatus[],
  url: string,
  { data, file, json, asksForToken }: UpSettings & { file: string | undefined; asksForToken: boolean },
): void {
  if (json) {
    printJson({ url, mcp: `${url}/mcp`, events: `${url}/api/mcp/resource-events`, data, config: file ?? null });
    return;
  }
  const lines = [
    ['dashboard', asksForToken ? `${url}/ (asks for your token, or open /#token=…)` : `${url}/`],
    ['MCP', `${url}/mcp`],
    ['events', `${url}/api/mcp/resource-events`],
    ['servers', servers.map(({ id, state }) => `${id} (${state})`).join(', ') || 'none'],
    ...(file === undefined ? [] : [['config', file]]),
    ['data', data.replace(/(:\/\/[^:/@]*):[^@]*@/, '$1:…@')],
  ];
  printLine(`Tidings is up at ${url}\n`);
  for (const [name = '', value] of lines) printLine(`  ${name.padEnd(10)} ${value}`);
  printLine('\nCtrl-C stops it.');
}

function shownHost(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

/** In a checkout it is built beside this package; a published package contains it. */
function dashboardFolder(): string | undefined {
  const places = ['../../dashboard/', '../../../dashboard/dist/'].map((path) =>
    fileURLToPath(new URL(path, import.meta.url)),
  );
  return places.find((place) => existsSync(place));
}
