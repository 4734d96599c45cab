// Creates the `Upstream` of a server for this node's role: connected directly and journaling, or connected through the
// owner node.
import { type Clock, systemClock } from '@tidings/live';
import type { ServerStatus } from '@tidings/client/contract';
import type { Cluster } from '../cluster/cluster.ts';
import { holderStatus, untilHolderIsLive } from '../cluster/holder-status.ts';
import type { Role } from '../cluster/role.ts';
import type { ServerEntry, UrlEntry } from '../config/config.ts';
import { isPerUser } from '../config/per-user.ts';
import { concealed, concealedLog } from '../connection/open/concealed.ts';
import { type Conceal, concealer } from '../connection/error/concealer.ts';
import { EraMemory } from '../connection/open/era-memory.ts';
import { sessionOpener } from '../connection/open/open-session.ts';
import type { OpenSession } from '../connection/session/session.ts';
import type { KeepAliveInterval } from '../connection/http/stream/stream-liveness.ts';
import { untilPortOpens } from '../connection/http/server-return.ts';
import { StderrTail } from '../connection/process/stderr-tail.ts';
import type { Watchdog } from '../connection/process/watchdog.ts';
import type { Archive } from '../journal/archive.ts';
import type { JournalRecorder } from '../journal/journal-recorder.ts';
import type { Journal } from '../journal/journal.ts';
import { ServerRecorder, silentRecorder } from '../journal/server-recorder.ts';
import { type TrackerLog, logFor } from '../base/log.ts';
import type { Snapshots } from '../mirror/snapshots.ts';
import type { Versions } from '../mirror/versions.ts';
import { leaseOf } from '../cluster/role-keeper.ts';
import type { ServerMemory } from './memory/server-memory.ts';
import type { TrackerSettings } from '../options/settings.ts';
import { emptyCatalog } from '../subscription/catalog/catalog.ts';
import { Watchers } from '../subscription/watchers.ts';
import type { Telemetry } from '../base/telemetry.ts';
import type { TrackerOptions } from '../options/tracker-options.ts';
import { nothingOffered } from './definition/server-definitions.ts';
import type { Handover } from './upstream-deps.ts';
import { Upstream } from './upstream.ts';
import { loginAdvice, loginCommand, scopeAdvice } from '../login/login-advice.ts';
import type { Logins } from '../login/logins.ts';
import type { ServerLogin } from '../login/server-login.ts';

export interface UpstreamFactoryDeps {
  options: TrackerOptions;
  settings: TrackerSettings;
  log: TrackerLog;
  telemetry: Telemetry;
  snapshots: Snapshots;
  versions: Versions;
  eras: EraMemory;
  watchdog: Watchdog;
  logins: Logins;
  journal: Journal;
  archive: Archive | undefined;
  cluster: Cluster | undefined;
  /** The user whose own connections these are, with `logins` of that user. Default: all callers share them. */
  user?: string;
}

/** State that the sessions of one server share. */
interface OwnParts {
  keepAlives: Readonly<Record<'direct' | 'node', KeepAliveInterval>>;
  log: Required<TrackerLog>;
  stderr: StderrTail;
}

/** The path at which a node serves one server to the other nodes. */
const nodeServerPath = (id: string) => `/node/mcp/${id}`;

export class UpstreamFactory {
  readonly #deps: UpstreamFactoryDeps;
  readonly #clock: Clock;
  /** Eras of other nodes. Not stored: all nodes speak the same era. */
  readonly #nodeEras: EraMemory;

  constructor(deps: UpstreamFactoryDeps) {
    this.#deps = deps;
    this.#clock = deps.options.clock ?? systemClock;
    this.#nodeEras = new EraMemory(this.#clock, new Map(), () => undefined);
  }

  make(entry: ServerEntry, role: Role, memory: ServerMemory, handover?: Handover): Upstream {
    const { settings, telemetry, snapshots, versions, eras, user } = this.#deps;
    const { random = Math.random } = this.#deps.options;
    const log = logFor(this.#deps.log, entry.id);
    const isFollower = role.is === 'follower';
    const through = (current: ServerEntry) => (isFollower ? this.#otherNode(current) : 'direct');
    const keepAlives = { direct: { ms: undefined }, node: { ms: undefined } };
    const stderr = new StderrTail(this.#clock);
    return new Upstream(entry, {
      clock: this.#clock,
      random,
      settings,
      telemetry,
      snapshots,
      versions,
      log,
      remembered: memory.resources,
      earlierCatalog: memory.catalog,
      definitions: memory.definitions,
      handover: handover ?? {
        watchers: new Watchers(log),
        watchersHold: new Map(),
        offer: nothingOffered,
        catalog: emptyCatalog,
      },
      accessTo: (current) => ({
        open: (...args) => this.#opener(current, through(current), { keepAlives, log, stderr })(...args),
        untilBack: (signal) => this.#untilBack(current, through(current), signal),
        conceal: (text) => this.#concealer(current)(text),
        loginCommand: () => this.#loginCommand(current),
        loginAdvice: () => {
          const [login, command] = [this.#deps.logins.of(current), this.#loginCommand(current)];
          return loginAdvice({ entry: current, login, command, isUser: user !== undefined }, this.#concealer(current));
        },
        scopeAdvice: () => this.#scopeAdvice(current),
        era: () => eras.seen(current),
        noteAsks: () => eras.noteAsks(current),
        stderr,
      }),
      recorder: this.#recorder(entry, role),
      isFollower,
      user,
      shown: (own) => this.#shown(own, role),
    });
  }

  #recorder(entry: ServerEntry, role: Role): JournalRecorder {
    const { journal, archive, user } = this.#deps;
    if (role.is === 'follower' || user !== undefined) return silentRecorder;
    const isOperatorOnly = isPerUser(entry);
    return new ServerRecorder({ serverId: entry.id, journal, archive, claim: role.claim, isOperatorOnly });
  }

  #loginCommand({ id }: ServerEntry): string {
    const { user, options } = this.#deps;
    return loginCommand(id, user === undefined ? undefined : (options.hubAddress?.() ?? 'URL'));
  }

  /** Resolves at a sign that the server is back; otherwise never. */
  async #untilBack(entry: ServerEntry, through: UrlEntry | 'direct' | undefined, signal: AbortSignal): Promise<void> {
    const reached = through === 'direct' ? entry : through;
    const signs: Promise<void>[] = [new Promise(() => undefined)];
    const login = reached && this.#deps.logins.of(reached);
    // Without a required login, nothing is sent to the server.
    if (reached && 'url' in reached && login?.isMissing !== true)
      signs.push(untilPortOpens(new URL(reached.url), this.#clock, signal));
    if (login) signs.push(login.untilReplaced(signal));
    const { cluster } = this.#deps;
    // The owner node may answer and still have to connect to the server.
    if (cluster && reached !== entry) signs.push(untilHolderIsLive(cluster.leases, leaseOf(entry.id), signal));
    await Promise.race(signs);
  }

  /**
   * The entry through which a follower reaches the server: another node's; `direct` for a built-in server with its
   * state in the shared database, which runs on every node; undefined if no node holds the server.
   */
  #otherNode(entry: ServerEntry): UrlEntry | 'direct' | undefined {
    const { cluster, options } = this.#deps;
    if ('builtin' in entry && options.sharedBuiltins?.includes(entry.builtin)) return 'direct';
    const node = cluster?.otherWith(leaseOf(entry.id));
    if (node === undefined) return undefined;
    const { id, enabled, trackResources } = entry;
    const url = new URL(nodeServerPath(id), node.url).href;
    return { id, enabled, trackResources, url, headers: { ...node.headers } };
  }

  #opener(
    entry: ServerEntry,
    through: UrlEntry | 'direct' | undefined,
    { keepAlives, log, stderr }: OwnParts,
  ): OpenSession {
    if (through === undefined) return untilStopped;
    const reached = through === 'direct' ? entry : through;
    const { settings, options, eras, watchdog, logins } = this.#deps;
    const login = logins.of(reached);
    const { connectMs, probeMs, health, maxMessageBytes } = settings;
    const { random = Math.random, builtins = {}, env = process.env, fetch: given = fetch } = options;
    const conceal = concealer(reached, login);
    const deps = {
      builtins,
      clock: this.#clock,
      random,
      fetch: given,
      login,
      eras: through === 'direct' ? eras : this.#nodeEras,
      maxMessageBytes,
      connectMs,
      probeMs,
      health,
      keepAlive: through === 'direct' ? keepAlives.direct : keepAlives.node,
      log: concealedLog(log, conceal),
      env,
      watchdog,
      stderr,
    };
    return concealed(onceLoggedIn(sessionOpener(reached, deps), login), conceal);
  }

  /** Also called for requests that end after the server was removed. */
  #concealer(entry: ServerEntry): Conceal {
    return concealer(entry, this.#deps.logins.known(entry));
  }

  #scopeAdvice(entry: ServerEntry): string {
    const scope = this.#deps.logins.known(entry)?.wantedScope;
    return scope === undefined ? '' : scopeAdvice({ entry, command: this.#loginCommand(entry) }, scope);
  }

  /** The status as reported by the node that is connected to the server. */
  #shown(own: ServerStatus, role: Role): ServerStatus {
    const { cluster } = this.#deps;
    if (cluster === undefined) return own;
    if (role.is === 'owner') return { ...own, node: cluster.id };
    const holder = cluster.leases.holder(leaseOf(own.id));
    if (holder.is !== 'other') return own;
    const told = holderStatus(cluster.leases, leaseOf(own.id));
    const { enabled, description } = own;
    return told ? { ...told, enabled, description } : { ...own, node: holder.node.id };
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
    signal.addEventListener('abort', () => reject(new Error('No node is connected to the server yet.')), {
      once: true,
    });
  });
