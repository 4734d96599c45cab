// `tidings connect`: a running hub, or any server, on stdin and stdout, for hosts that only start commands. It is the
// gateway of one server over a tracker, so a restart of the hub causes neither an error nor a missed change.
import { messageOf } from '@tidings/live/portable';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type Clock, serveStdio } from '@tidings/live';
import { version } from '@tidings/live/version';
import { type Config, type ServerEntry, type Upstream, openTracker } from '@tidings/track';
import { hubQuotas } from '../access/hub-quotas.ts';
import { permissionsBy } from '../access/permissions.ts';
import { Tokens } from '../access/token/tokens.ts';
import { BuiltinServers } from '../builtins.ts';
import { Gateway } from '../gateway/gateway.ts';
import { ReadResources } from '../gateway/mention/read-resources.ts';
import { Relay } from '../gateway/relay/relay.ts';
import { Views } from '../gateway/view.ts';
import { callerHeader } from '../http/connection/marked-streams.ts';
import { connectionFailure } from '../look/connection-failure.ts';
import { FileLoginStore } from '@tidings/track/internal';
import { usualLoginFolder } from '../setup/login-folder.ts';
import { StderrLines } from '../look/stderr-lines.ts';
import { type ServerTarget, serverEntryOf, targetName } from '../look/target.ts';
import { exitWithin } from '../terminal/exit-within.ts';
import { printError } from '../terminal/print-line.ts';
import { stopOnSignal } from '../terminal/stop-on-signal.ts';

interface ConnectSettings {
  target: ServerTarget;
  clock: Clock;
}

/** How long the first requests of the host wait for the hub; a hub that is started later is connected to then. */
const firstAnswerMs = 3000;
/** A server of the 2025 era may wait this long for an answer of the user. */
const answerMs = 60_000;
/** A host that has stopped reading does not delay the exit for longer. */
const patienceMs = 1500;

export async function connect({ target, clock }: ConnectSettings): Promise<void> {
  const stopped = once(stopOnSignal(), 'abort');
  if (process.stdin.isTTY)
    printError(`${targetName(target)} on stdin and stdout, for an MCP host that starts this command.`);
  const log = new StderrLines();
  // Two windows of one host have the same name, version and token.
  const mark = target.kind === 'hub' ? randomUUID() : undefined;
  const entry = marked(serverEntryOf(target), mark);
  const config: Config = { servers: [entry], tokens: [] };
  const logins = new FileLoginStore(usualLoginFolder(), clock);
  const tracker = await openTracker({ config, env: process.env, clock, logins, log });
  const upstream = tracker.upstream(entry.id);
  const views = new Views(new BuiltinServers({}, []), clock);
  const relay = new Relay({ clock, patienceMs: () => answerMs, mark });
  const readResources = new ReadResources(tracker.journal);
  const tokens = new Tokens({ config, env: {} });
  const gateway = new Gateway({
    info: () => upstream.definitions.info ?? { name: 'tidings', version },
    instructions: () => upstream.definitions.instructions,
    upstreams: () => [upstream],
    views,
    relay,
    readResources,
    // A hub adds its own line; answers of other servers are passed on unchanged.
    mentionsChanges: () => false,
    namesAsker: false,
    permissionsOf: permissionsBy(
      (id) => (id === upstream.id ? { catalog: upstream.lastKnownCatalog, redacts: false } : undefined),
      clock,
    ),
    quotas: hubQuotas({ clock, config: () => config, tokens: () => tokens }),
    clock,
    log,
  });
  try {
    await upstream.connectionAttempted(firstAnswerMs);
    reportFailure(upstream, target, log);
    await gateway.firstListsRead();
    const connection = serveStdio(gateway.server);
    await Promise.race([stopped, connection.closed]);
    exitWithin(patienceMs);
    await connection.close();
  } finally {
    await tracker.close();
    await gateway.close();
    await relay.close();
    readResources.close();
    await views.close();
  }
}

/** The hub notices by its streams when this process has ended. */
function marked(entry: ServerEntry, mark: string | undefined): ServerEntry {
  if (mark === undefined || !('url' in entry)) return entry;
  return { ...entry, headers: { ...entry.headers, [callerHeader]: mark } };
}

/** A host shows stderr in its log. The connection is tried again for as long as the host runs this command. */
function reportFailure(upstream: Upstream, target: ServerTarget, log: StderrLines): void {
  if (upstream.status().state === 'live' || upstream.failure === undefined) return;
  const failure = connectionFailure(upstream.failure, target, log.of(upstream.id));
  printError(`${messageOf(failure)}\nStill trying.`);
}
