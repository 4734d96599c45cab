// How this node reaches one configured server in its present entry: directly, or through the node that is connected to
// it; with the login of its callers.
import type { Clock } from '@tidings/live';
import { onAbort } from '@tidings/live/time';
import type { Cluster } from '../cluster/cluster.ts';
import { untilHolderIsLive } from '../cluster/holder-status.ts';
import { leaseOf } from '../cluster/role-keeper.ts';
import type { ServerEntry, UrlEntry } from '../config/config.ts';
import type { TrackerLog } from '../base/log.ts';
import { concealer } from '../connection/error/concealer.ts';
import { untilPortOpens } from '../connection/http/server-return.ts';
import type { KeepAliveInterval } from '../connection/http/stream/stream-liveness.ts';
import { concealed, concealedLog } from '../connection/open/concealed.ts';
import type { EraMemory, RememberedEra } from '../connection/open/era-memory.ts';
import { sessionOpener } from '../connection/open/open-session.ts';
import type { StderrLine, StderrTail } from '../connection/process/stderr-tail.ts';
import type { Watchdog } from '../connection/process/watchdog.ts';
import type { OpenSession } from '../connection/session/session.ts';
import { loginAdvice, loginCommand, scopeAdvice } from '../login/login-advice.ts';
import type { Logins } from '../login/logins.ts';
import type { ServerLogin } from '../login/server-login.ts';
import type { TrackerSettings } from '../options/settings.ts';
import type { TrackerOptions } from '../options/tracker-options.ts';
import type { ServerAccess } from './upstream-deps.ts';

export interface AccessDeps {
  options: TrackerOptions;
  settings: TrackerSettings;
  eras: EraMemory;
  watchdog: Watchdog;
  logins: Logins;
  cluster: Cluster | undefined;
  /** The user whose own connections these are, with `logins` of that user. Default: all callers share them. */
  user?: string;
}

/** Shared by all sessions of one server, including those opened after its entry was edited. */
export interface SessionsInCommon {
  clock: Clock;
  log: Required<TrackerLog>;
  stderr: StderrTail;
  /** The intervals of the server, and of the node through which the server is reached. */
  keepAlives: Readonly<Record<'direct' | 'node', KeepAliveInterval>>;
  /** The remembered eras of other nodes. */
  nodeEras: EraMemory;
  /** Whether the server is reached through another node. */
  isFollower: boolean;
}

/** The path at which a node serves one server to the other nodes. */
const nodeServerPath = (id: string) => `/node/mcp/${id}`;

export class ConfiguredAccess implements ServerAccess {
  readonly #entry: ServerEntry;
  readonly #deps: AccessDeps;
  readonly #common: SessionsInCommon;

  constructor(entry: ServerEntry, deps: AccessDeps, common: SessionsInCommon) {
    this.#entry = entry;
    this.#deps = deps;
    this.#common = common;
  }

  open(...attempt: Parameters<OpenSession>): ReturnType<OpenSession> {
    return this.#opener()(...attempt);
  }

  /** Resolves at a sign that the server is back; otherwise never. */
  async untilBack(signal: AbortSignal): Promise<void> {
    const [entry, reached] = [this.#entry, this.#reached()];
    const signs: Promise<void>[] = [new Promise(() => undefined)];
    const login = reached && this.#deps.logins.of(reached);
    // Without a required login, nothing is sent to the server.
    if (reached && 'url' in reached && login?.isMissing !== true)
      signs.push(untilPortOpens(new URL(reached.url), this.#common.clock, signal));
    if (login) signs.push(login.untilReplaced(signal));
    const { cluster } = this.#deps;
    // The owner node may answer and still have to connect to the server.
    if (cluster && reached !== entry) signs.push(untilHolderIsLive(cluster.leases, leaseOf(entry.id), signal));
    await Promise.race(signs);
  }

  conceal(text: string): string {
    return concealer(this.#entry, this.#login)(text);
  }

  get stderr(): readonly StderrLine[] {
    return this.#common.stderr.lines.map((line) => ({ ...line, text: this.conceal(line.text) }));
  }

  get loginCommand(): string {
    const { user, options } = this.#deps;
    return loginCommand(this.#entry.id, user === undefined ? undefined : (options.hubAddress?.() ?? 'URL'));
  }

  get loginAdvice(): string {
    const [entry, login, command] = [this.#entry, this.#login, this.loginCommand];
    const isUser = this.#deps.user !== undefined;
    return loginAdvice({ entry, login, command, isUser }, (text) => this.conceal(text));
  }

  get scopeAdvice(): string {
    const scope = this.#login?.wantedScope;
    return scope === undefined ? '' : scopeAdvice({ entry: this.#entry, command: this.loginCommand }, scope);
  }

  get era(): RememberedEra | undefined {
    return this.#deps.eras.seen(this.#entry);
  }

  noteClientRequest(): void {
    this.#deps.eras.noteClientRequest(this.#entry);
  }

  /** Used even by requests that end after the server was removed. */
  get #login(): ServerLogin | undefined {
    return this.#deps.logins.known(this.#entry);
  }

  /**
   * The entry through which the server is reached: for a follower that of another node, except for a built-in server
   * with its state in the shared database, which runs on every node. Undefined if no node holds the server.
   */
  #reached(): ServerEntry | undefined {
    const entry = this.#entry;
    const { cluster, options } = this.#deps;
    if (!this.#common.isFollower) return entry;
    if ('builtin' in entry && options.sharedBuiltins?.includes(entry.builtin)) return entry;
    const node = cluster?.otherWith(leaseOf(entry.id));
    if (node === undefined) return undefined;
    const { id, enabled, trackResources } = entry;
    const url = new URL(nodeServerPath(id), node.url).href;
    return { id, enabled, trackResources, url, headers: { ...node.headers } } satisfies UrlEntry;
  }

  #opener(): OpenSession {
    const reached = this.#reached();
    if (reached === undefined) return untilStopped;
    const isDirect = reached === this.#entry;
    const { clock, keepAlives, log, nodeEras, stderr } = this.#common;
    const { settings, options, eras, watchdog, logins } = this.#deps;
    const login = logins.of(reached);
    const { connectMs, probeMs, health, maxMessageBytes } = settings;
    const { random = Math.random, builtins = {}, env = process.env, fetch: given = fetch } = options;
    const conceal = concealer(reached, login);
    const deps = {
      builtins,
      clock,
      random,
      fetch: given,
      login,
      eras: isDirect ? eras : nodeEras,
      maxMessageBytes,
      connectMs,
      probeMs,
      health,
      keepAlive: isDirect ? keepAlives.direct : keepAlives.node,
      log: concealedLog(log, conceal),
      env,
      watchdog,
      stderr,
    };
    return concealed(onceLoggedIn(sessionOpener(reached, deps), login), conceal);
  }
}

/** Sends nothing to a server that requires a login of this user as long as there is none. */
function onceLoggedIn(open: OpenSession, login: ServerLogin | undefined): OpenSession {
  if (login?.isRequired !== true) return open;
  return async (...attempt) => {
    await login.token();
    return open(...attempt);
  };
}

/** Waits until it is aborted, because no node is connected to the server yet. */
const untilStopped: OpenSession = (signal) =>
  new Promise((_, reject) => {
    onAbort(signal, () => reject(new Error('No node is connected to the server yet.')));
  });
