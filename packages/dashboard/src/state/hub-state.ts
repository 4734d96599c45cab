// The page's state of the hub: read once, then updated by the event stream, and read again if events may have been
// missed.
import { Rerun, every, systemClock } from '@tidings/live/time';
import { HubError } from '../hub/hub-request.ts';
import { readPastEvents, readServers, requestEvents } from '../hub/api.ts';
import { observeExchanges } from '../hub/mcp-request.ts';
import { EventStreamClient, type StreamState } from '@tidings/client';
import type { ServerStatus, StreamEvent, TrackerEvent } from '@tidings/client/contract';
import { ListedResources } from './listed-resources.ts';
import { Observable } from './observable.ts';
import { LogMessages } from './log-messages.ts';
import { RequestHistory } from './request-history.ts';
import { Timeline } from './timeline.ts';
import { KnownVersions } from './versions.ts';

const refreshMs = 5000;
const retryMs = 1500;
/** A restarted hub is available within seconds, and an attempt costs it little. */
const pauses = { firstMs: 300, longestMs: 2000 };

export interface Reconnection {
  at: number;
  /** The number of events that were missed and then received. */
  missed: number;
  /** Some events were no longer available, so everything was read again. */
  hadGap: boolean;
}

export class HubState extends Observable {
  readonly timeline = new Timeline();
  readonly catalog = new ListedResources();
  readonly versions = new KnownVersions();
  readonly requests = new RequestHistory();
  readonly logMessages = new LogMessages();
  #servers: readonly ServerStatus[] = [];
  #configFile: string | null | undefined;
  #connection: StreamState = 'connecting';
  #reconnection: Reconnection | undefined;
  #wasOpen = false;
  /** Increases whenever data that was read may be outdated. */
  #epoch = 0;
  /** When the present connection was made, by the hub's clock. */
  #openedAt = 0;
  /**
   * 0, or the lowest difference between the arrival of an event and its timestamp if that is below 0: then the clock of
   * the page is behind that of the hub by at least as much.
   */
  #skewMs = 0;
  readonly #refreshing = new Rerun(() => this.#readServers());
  #stream: EventStreamClient | undefined;
  readonly #definitionChanges = new Map<string, number>();

  get servers(): readonly ServerStatus[] {
    return this.#servers;
  }

  /** The file to which servers can be added; null if there is none, undefined if this caller may not edit it. */
  get configFile(): string | null | undefined {
    return this.#configFile;
  }

  get connection(): StreamState {
    return this.#connection;
  }

  get reconnection(): Reconnection | undefined {
    return this.#reconnection;
  }

  get wasOpen(): boolean {
    return this.#wasOpen;
  }

  get epoch(): number {
    return this.#epoch;
  }

  /** How many changes of this server's definitions were received. */
  definitionChanges(serverId: string): number {
    return this.#definitionChanges.get(serverId) ?? 0;
  }

  constructor() {
    super();
    observeExchanges((exchange) => this.requests.add(exchange));
  }

  async start(): Promise<void> {
    try {
      const { events, cursor } = await readPastEvents();
      await Promise.all([this.refreshServers(), this.catalog.reload()]);
      for (const { event, cursor } of events) this.#take(event, cursor);
      this.changed();
      // Nothing is missed in between: the stream continues where the history ends.
      this.#follow(cursor);
      every(systemClock, refreshMs, () => {
        if (document.visibilityState === 'visible' && this.#connection === 'open') void this.refreshServers();
      });
    } catch (error) {
      this.#become(error instanceof HubError && error.status === 401 ? 'refused' : 'waiting');
      systemClock.after(retryMs, () => void this.start());
    }
  }

  /** Connects at once, instead of after the pause. */
  retry(): void {
    this.#stream?.reconnect();
  }

  #follow(cursor: string): void {
    const stream = new EventStreamClient({
      clock: systemClock,
      cursor,
      pauses,
      request: requestEvents,
      event: (event, cursor = '') => this.#receive(event, cursor),
      state: (state) => this.#become(state),
    });
    this.#stream = stream;
    addEventListener('online', () => stream.reconnect());
    document.addEventListener('visibilitychange', () => {
      // Timers stop while a machine sleeps.
      if (document.visibilityState === 'visible') stream.wake();
    });
    stream.start();
  }

  /** Resolves when the servers have been read; a failure is not reported. */
  refreshServers(): Promise<void> {
    return this.#refreshing.request();
  }

  async #readServers(): Promise<void> {
    try {
      const { servers, configFile } = await readServers();
      this.#servers = servers;
      this.#configFile = configFile;
      // Changes of the list of a server that is not tracked are not announced.
      if (this.catalog.isLoaded) {
        for (const { id, resources } of this.#servers) {
          if (resources !== this.catalog.countOf(id)) this.catalog.reloadSoon(id);
        }
      }
    } catch {
      // Repeated soon, and when the stream is back.
    } finally {
      this.changed();
    }
  }

  replaceServer(server: ServerStatus): void {
    this.#servers = this.#servers.map((each) => (each.id === server.id ? server : each));
    this.changed();
  }

  #become(state: StreamState): void {
    this.#connection = state;
    this.changed();
  }

  #receive(event: StreamEvent, cursor: string): void {
    if (event.type === 'handshake') return this.#opened(Date.parse(event.timestamp));
    const at = Date.parse(event.timestamp);
    const isReplayed = at < this.#openedAt;
    if (isReplayed && this.#reconnection) this.#reconnection.missed += 1;
    this.#take(event, cursor, isReplayed ? undefined : this.#latency(at));
  }

  #opened(at: number): void {
    this.#openedAt = at;
    if (this.#wasOpen) {
      this.#reconnection = { at: systemClock.date(), missed: 0, hadGap: false };
      this.#reread();
    }
    this.#wasOpen = true;
  }

  #take(event: TrackerEvent, cursor: string, latencyMs?: number): void {
    this.timeline.add(event, cursor, latencyMs);
    switch (event.type) {
      case 'resource_update':
        return this.catalog.updated(event.serverId, event.resourceUri, Date.parse(event.timestamp));
      case 'list_changed':
        if (this.#wasOpen) this.catalog.reloadSoon(event.serverId);
        return;
      case 'definition_changed':
        this.#definitionChanges.set(event.serverId, this.definitionChanges(event.serverId) + 1);
        if (this.#wasOpen) void this.refreshServers();
        return;
      case 'server_state':
      case 'resource_error':
        if (this.#wasOpen) void this.refreshServers();
        return;
      case 'gap':
        if (this.#reconnection && event.serverId === undefined) this.#reconnection.hadGap = true;
        if (!this.#wasOpen) return;
        this.#reread();
        void this.#fillGap();
    }
  }

  /** Reads the missed events that the journal still has. */
  async #fillGap(): Promise<void> {
    try {
      const { events } = await readPastEvents();
      for (const { event, cursor } of events) {
        if (event.type !== 'gap' && !this.timeline.has(cursor)) this.#take(event, cursor);
      }
    } catch {
      // The connection was lost again; the next one reports another gap.
    }
  }

  /** Reads all shown data again; views with requests of their own repeat them when `epoch` changes. */
  #reread(): void {
    this.#epoch += 1;
    void this.refreshServers();
    void this.#relist(this.#epoch);
    this.changed();
  }

  /** Repeats until the resources are listed, or everything is read again for another reason. */
  async #relist(epoch: number): Promise<void> {
    try {
      await this.catalog.reload();
    } catch {
      systemClock.after(retryMs, () => {
        if (epoch === this.#epoch) void this.#relist(epoch);
      });
    }
  }

  #latency(at: number): number {
    const apart = systemClock.date() - at;
    this.#skewMs = Math.min(this.#skewMs, apart);
    return apart - this.#skewMs;
  }
}
