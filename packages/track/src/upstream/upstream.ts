// The public interface of one configured server: its state, its resources, and requests to it. The tracker and the
// gateway's clients share its one connection.
import type { Client, ReadResourceResult, ServerCapabilities } from '@modelcontextprotocol/client';
import type { ServerStatus } from '@tidings/client/contract';
import type { Watch } from '@tidings/live/internal';
import { callEach } from '../base/log.ts';
import type { ServerEntry } from '../config/config.ts';
import { isPerUser } from '../config/per-user.ts';
import { timedPing } from '../connection/session/ping.ts';
import { unavailable } from '../connection/error/upstream-error.ts';
import type { StderrLine } from '../connection/process/stderr-tail.ts';
import type { CallListener } from '../connection/message/running-calls.ts';
import type { TaskWatch, TaskWatcher } from '../connection/message/task-watches.ts';
import type { Snapshot } from '../mirror/snapshots.ts';
import { isNotFound } from '../mirror/mirror.ts';
import type { Version } from '../mirror/versions.ts';
import type { Catalog } from '../subscription/catalog/catalog.ts';
import { plainCatalog } from '../subscription/catalog/plain-catalog.ts';
import type { Watcher } from '../subscription/watchers.ts';
import type { OwnSession, OwnSessionOptions } from './request/own-sessions.ts';
import type { UpstreamDefinitions } from './definition/upstream-definitions.ts';
import type { Handover, UpstreamDeps } from './upstream-deps.ts';
import { Succession } from './succession.ts';
import { UpstreamParts } from './upstream-parts.ts';
import { statusOf } from './upstream-status.ts';

/**
 * One server that the tracker follows: its state, its resources, and reads and calls through its session.
 *
 * @example
 * const { contents } = await tracker.upstream('notes').read('note://today');
 */
export class Upstream {
  readonly #deps: UpstreamDeps;
  readonly #parts: UpstreamParts;
  readonly #succession: Succession;
  /** The object that replaces this one. Reads that fail here are repeated there, and callers' own sessions opened. */
  #successor: Upstream | undefined;

  constructor(entry: ServerEntry, deps: UpstreamDeps) {
    this.#deps = deps;
    this.#parts = new UpstreamParts(entry, deps);
    this.#succession = new Succession(this.#parts);
  }

  /** The server's tools, prompts and instructions, and its own name. */
  get definitions(): UpstreamDefinitions {
    return this.#parts.definitions;
  }

  get id(): string {
    return this.#parts.entry.id;
  }

  get entry(): ServerEntry {
    return this.#parts.entry;
  }

  /** The user whose own connection this is; undefined for the one that callers share. */
  get user(): string | undefined {
    return this.#deps.user;
  }

  /** Whether this connection has the operator's login, while every other user has a login of its own. */
  get isOperatorOnly(): boolean {
    return this.user === undefined && isPerUser(this.entry);
  }

  /** The command with which its callers log in. */
  get loginCommand(): string {
    return this.#parts.access.loginCommand;
  }

  /** The capabilities in the latest session; undefined before the first one. */
  get capabilities(): ServerCapabilities | undefined {
    return this.#parts.capabilities;
  }

  /** The list of resources; until it has been read, that of the predecessor. */
  get catalog(): Catalog {
    const { reconciler } = this.#parts;
    return this.#listed(reconciler.isListKnown ? reconciler.catalog : this.#deps.handover.catalog);
  }

  /** The catalog; before the first reading, the one of the server's last session, here or on another node. */
  get lastKnownCatalog(): Catalog {
    return this.#listed(this.#parts.reconciler.lastKnownCatalog);
  }

  /** Whether the list has been read since the tracker started; true for a server without resources. */
  get isListKnown(): boolean {
    return this.#parts.reconciler.isListKnown;
  }

  /** Whether the list has been read since the tracker started, or cannot be read in the present session. */
  get isListSettled(): boolean {
    const { session, detail } = this.#parts.connection;
    return this.isListKnown || (session !== undefined && detail !== '');
  }

  /** Why the last session could not be opened or was lost; a `ConnectFailure` if it could not be opened. */
  get failure(): Error | undefined {
    return this.#parts.connection.failure;
  }

  /** How changes of a watched resource are noticed; `pending` until one of the two is in force. */
  coverage(uri: string): 'subscribed' | 'polled' | 'pending' {
    return this.#parts.reconciler.coverage.of(uri);
  }

  /** Whether changes of the server are journaled, by this node or another. */
  get isTracked(): boolean {
    return this.#parts.isTracked;
  }

  status(): ServerStatus {
    return statusOf(this.#parts, this.catalog);
  }

  /** The status to show to users, the same on every node. */
  shownStatus(): ServerStatus {
    return this.#deps.shown(this.status());
  }

  /** The last lines on stderr of the server's processes, without the secrets of its entry. */
  get stderr(): readonly StderrLine[] {
    return this.#parts.access.stderr;
  }

  /** Connects once `ended` has resolved. */
  start(ended?: Promise<void>): void {
    if (ended) this.#parts.connection.openAfter(ended);
    if (this.#parts.entry.enabled) this.#parts.connection.send('enable');
  }

  /** Applies an edited entry. */
  adjust(entry: ServerEntry, isMoved: boolean): void {
    const before = this.#parts.entry;
    this.#parts.entry = entry;
    if (entry.trackResources !== before.trackResources) this.track(entry.trackResources);
    if (entry.pin !== before.pin) {
      this.definitions.reviewPin();
      // A pinned server's list is shown without its descriptions, so a change of the pin changes the list.
      callEach(this.#parts.listListeners, this.#deps.log);
    }
    if (!entry.enabled || isMoved) void this.#parts.own.close();
    const { leftOutReason = 'It is not enabled in the configuration.' } = entry;
    if (!entry.enabled) this.#parts.connection.send('disable', leftOutReason);
    else if (isMoved && before.enabled) this.#parts.connection.send('restart');
    else this.#parts.connection.send('enable');
  }

  /** Connects again at once, with a new process if the server has one. A disabled server stays as it is. */
  restart(): void {
    void this.#parts.own.close();
    this.#parts.connection.send('restart');
  }

  /** Starts or stops following and journaling everything that the server lists. */
  track(isTracked: boolean): void {
    if (isTracked === this.isTracked || this.#deps.isFollower || this.user !== undefined) return;
    this.#parts.followed.listeners.isTracked = isTracked;
    if (isTracked) this.#parts.reconciler.resume();
    this.#parts.reconciler.request();
  }

  /** Resolves when the server is not being connected to any more, or after `withinMs`. */
  async connectionAttempted(withinMs: number): Promise<void> {
    await this.#parts.requests.connectionAttempted(withinMs);
  }

  /** Runs `work` with the shared client, once there is one. */
  async use<T>(work: (client: Client) => Promise<T>, listener?: CallListener): Promise<T> {
    return this.#parts.requests.use(work, listener);
  }

  /** Sends a ping; resolves with the milliseconds until the answer. */
  async ping(): Promise<number> {
    return this.use((client) => timedPing(client, this.#deps.clock));
  }

  /** Subscribes to the status of these tasks on the shared session, if the server supports that. */
  watchTasks(taskIds: readonly string[], watcher: TaskWatcher): Promise<TaskWatch> {
    return this.#parts.requests.watchTasks(taskIds, watcher);
  }

  /** Whether the server has ever sent requests to its client, in the 2025 era. */
  get sendsRequests(): boolean {
    return this.#parts.access.era?.sendsRequests === true;
  }

  /** Whether another node of the cluster is between this one and the server. */
  get isReachedByNode(): boolean {
    return this.#deps.isFollower;
  }

  noteClientRequest(): void {
    this.#parts.access.noteClientRequest();
  }

  /** Opens a session besides the shared one, for one caller whose client accepts requests from the server. */
  async openOwn(options: OwnSessionOptions): Promise<OwnSession> {
    const { own, connection } = this.#parts;
    const { state, detail } = connection;
    if (state === 'disabled' || state === 'stopped') {
      if (this.#successor) return this.#successor.openOwn(options);
      throw unavailable(this.id, detail || `it is ${state}.`);
    }
    const session = await own.open(options);
    // The server did not answer the probe of the shared session in time, or it was updated since.
    if (session.era === 'modern' && connection.session?.era === 'legacy') connection.send('restart');
    return session;
  }

  /** Maps a URI as shown to agents to the server's own spelling; other URIs are unchanged. */
  spelling(uri: string): string {
    return this.#parts.reconciler.spelling(uri);
  }

  /** Reads a resource. Cancelled at the server when the signals of all its callers are aborted. */
  async read(uri: string, signal?: AbortSignal): Promise<ReadResourceResult> {
    try {
      return await this.#parts.followed.mirror.read(uri, signal);
    } catch (error) {
      if (this.#successor === undefined || isNotFound(error) || signal?.aborted) throw error;
      return this.#successor.read(uri, signal);
    }
  }

  snapshot(uri: string): Snapshot | undefined {
    return this.#parts.followed.mirror.snapshot(uri);
  }

  /** The past contents of a followed resource, the oldest first. */
  versions(uri: string): readonly Version[] {
    return this.#parts.followed.mirror.versions(uri);
  }

  /**
   * Calls `watcher` whenever the resource may have changed; it can then read the content by `read`. The first
   * watcher of a URI subscribes, the last to end its watch unsubscribes. `ready` never rejects: it resolves when the
   * resource is subscribed to or polled, or the server is unavailable; then the watcher is called once it is available.
   */
  watch(uri: string, watcher: Watcher): Required<Watch> {
    return this.#succession.watch(uri, watcher);
  }

  /**
   * Calls `listener` when the list of resources has changed and the new one can be read. Returns a function that stops
   * this.
   */
  onListChanged(listener: () => void): () => void {
    this.#parts.listListeners.add(listener);
    return () => this.#parts.listListeners.delete(listener);
  }

  stop(): Promise<void> {
    return this.#parts.stop();
  }

  /** Creates the successor of this object. */
  handOver(make: (handover: Handover) => Upstream): Upstream {
    this.#successor = make(this.#succession.handover(this.catalog));
    this.#parts.replaced();
    return this.#successor;
  }

  /** Replaces the predecessor. Call it before the predecessor is stopped. */
  succeed(before: Upstream): void {
    this.#succession.takeOver(before.#succession);
  }

  /** Whether one of the two has replaced the other and shares its watchers. */
  sharesWatchersWith(other: Upstream): boolean {
    return this.#succession.sharesWatchersWith(other.#succession);
  }

  /** Forgets the followed resources of a replaced object. Call it after `stop`. */
  discard(): void {
    const successor = this.#successor;
    this.#parts.followed.discard(successor && successor.#parts.followed);
  }

  /** Deletes the stored state of a server that was removed from the configuration. */
  forget(): void {
    for (const uri of this.#parts.followed.mirror.uris) this.#parts.followed.forget(uri);
    this.#deps.recorder.dropAll();
    this.#deps.telemetry.forget(this.id);
  }

  #listed(catalog: Catalog): Catalog {
    return this.#parts.isPinned ? plainCatalog(catalog) : catalog;
  }
}
