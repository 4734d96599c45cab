// Runs the hub until a signal ends it.
import { once } from 'node:events';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@tidings/live/time';
import { LiveError } from '@tidings/live';
import type { TellSession } from '@tidings/schedules';
import type { Config } from '@tidings/track';
import { pino } from 'pino';
import { isDatabase } from '../base/data-place.ts';
import { Demo } from '../demo/demo.ts';
import { Hub } from '../hub.ts';
import { packageFolder } from '../base/package-folder.ts';
import { logStream } from '../terminal/log-stream.ts';
import { printError } from '../terminal/print-line.ts';
import { accessTerms } from '../setup/access-terms.ts';
import { openBus } from '../setup/open-bus.ts';
import { assertBuiltIn } from '../setup/built-in-names.ts';
import { builtinServers } from './builtin-servers.ts';
import { reportStart } from './report-start.ts';
import { configuration } from '../setup/configuration.ts';
import { exposure } from '../setup/exposure.ts';
import { loginFolder } from '../setup/login-folder.ts';
import { FileLoginStore } from '@tidings/track/internal';
import { withoutItself } from '../setup/without-itself.ts';
import type { Redactions } from '../setup/known-redaction.ts';
import { type HttpSettings, explainedListenError } from '../serve/listen-on.ts';
import { localUser } from '../audit/record-command.ts';
import { exitWithin } from '../terminal/exit-within.ts';
import { stopOnSignal } from '../terminal/stop-on-signal.ts';

export interface UpSettings extends HttpSettings {
  data: string;
  config?: string;
  /** Host names of the hub besides those of this machine. */
  allowHost?: readonly string[];
  trust?: boolean;
  demo?: boolean;
  /** A NATS server through which nodes wake each other. */
  bus?: string;
  /** The address of this node for other nodes on the same database. */
  advertise?: string;
  /** Opens the dashboard in the user's browser. */
  open?: boolean;
  json?: boolean;
  logLevel: string;
}

/** The process exits after this, even if connections or server processes remain. */
const patienceMs = 2500;

export async function up(settings: UpSettings): Promise<void> {
  const { data, port, host, allowHost = [], insecure = false, demo: isDemo = false } = settings;
  const signal = stopOnSignal();
  const stopped = once(signal, 'abort');
  const node = isDatabase(data) ? { id: nodeId(), url: settings.advertise } : undefined;
  const log = pino({ level: settings.logLevel, ...(node && { base: { node: node.id } }) }, logStream());
  const bus = await openBus(settings, log);
  let redactions: Redactions = {};
  let opened: Hub | undefined;
  const tellSession: TellSession = (id, push) =>
    opened?.notify(id, push) ?? Promise.reject(new LiveError('UNAVAILABLE', 'The hub is starting.'));
  const isConfigured = () => found.source !== undefined;
  const builtins = builtinServers({ data, isDemo, isConfigured, redactions: () => redactions, tellSession, log, bus });
  const { config: named, trust } = settings;
  const found = await configuration({ config: named, data, trust, otherwise: builtins.config });
  const termsDeps = { file: found.source, env: process.env };
  assertBuiltIn(found.config, termsDeps);
  redactions = await accessTerms(found.config, termsDeps);
  const { TIDINGS_TOKEN: token } = process.env;
  const needsToken = ({ tokens, oauth }: Config) =>
    Boolean(token) || oauth !== undefined || tokens.some(({ env }) => process.env[env]);
  const assertMayListen = (config: Config) => {
    exposure(host, undefined, insecure || needsToken(config), [...allowHost, ...(config.hosts ?? [])]);
  };
  assertMayListen(found.config);
  // Without the names of the configuration: HubHttp adds those, since they can change.
  const { allowedHosts } = exposure(host, undefined, true, allowHost);
  const served = new Set(found.config.servers.flatMap((entry) => ('builtin' in entry ? [entry.builtin] : [])));
  const demo = new Demo({ builtins, served, clock: systemClock, log, isTrial: isDemo });
  const apply = async (config: Config) => {
    // An edit that removes the last token must not open the hub to other machines.
    assertMayListen(config);
    assertBuiltIn(config, termsDeps);
    redactions = await accessTerms(config, termsDeps);
    hub.apply(usable(config));
  };
  const usable = (given: Config) => {
    const { config, itself } = withoutItself(given, { host, port });
    for (const id of itself) printError(`The server "${id}" is this hub itself, so it is left out.`);
    return config;
  };
  const hub = await Hub.open({
    config: usable(found.config),
    editor: found.editor(systemClock, apply),
    builtins,
    place: data,
    logins: new FileLoginStore(loginFolder(data), systemClock),
    token,
    env: process.env,
    allowedHosts,
    pages: dashboardFolder(),
    demo,
    ...(node && { node }),
    bus,
    log,
  });
  opened = hub;
  const { agreed } = found;
  if (agreed !== undefined) hub.audit.record({ who: localUser(), method: 'trust', outcome: 'ok', detail: agreed });
  const rejected = (reason: string) => {
    printError(`The configuration was not changed: ${reason}`);
    hub.audit.record({ who: '-', method: 'configuration', outcome: 'refused', code: 'INVALID' });
  };
  const watcher = found.watch(systemClock, { changed: apply, rejected }, hub.tracker.cluster?.configs);
  try {
    const address = await hub.listen(port, host).catch((error: unknown) => {
      throw explainedListenError(error, port, host);
    });
    if (isDemo) {
      await demo.load();
      demo.start();
    }
    await reportStart(hub, {
      address,
      asksForToken: needsToken(found.config),
      data,
      source: found.source,
      json: settings.json ?? false,
      open: settings.open ?? false,
      signal,
    });
    await stopped;
    await hub.drain();
    exitWithin(patienceMs, 'a client or a server that did not close its connection');
  } finally {
    watcher.close();
    await demo.close();
    await hub.close();
    await bus?.close();
  }
}

/** Different for each run: the leases of an earlier run must not count as this one's. */
function nodeId(): string {
  return `${hostname()}-${randomBytes(3).toString('hex')}`;
}

/** In a checkout it is built beside this package; a published package contains it. */
function dashboardFolder(): string | undefined {
  const places = ['dashboard/', '../dashboard/dist/'].map((path) => join(packageFolder(), path));
  return places.find((place) => existsSync(place));
}
