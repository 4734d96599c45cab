// One 2025-era session over HTTP. Its sink is ready while a GET stream is open; without one, changes stay in the dirty
// set until a stream opens.
import type { Implementation, JSONRPCMessage, McpServer, RequestId } from '@modelcontextprotocol/server';
import type { Timer } from '../../time/clock.ts';
import type { Sink } from '../../notify/sink.ts';
import type { Watched } from '../../notify/watched.ts';
import type { Caller, Credential } from '../../resource/caller.ts';
import { messageEvent, messageEventHead, messageEventTail } from '../../sse/sse-event.ts';
import { asciiJson } from '../ascii-json.ts';
import type { ServerDefinition } from '../../definition/server-definition.ts';
import type { Hold } from '../../quota/quotas.ts';
import { atExpiry } from '../expiry.ts';
import { createInstance } from '../../definition/instance.ts';
import { mayChange } from '../../definition/may-change.ts';
import type { Observe } from '../../definition/observe.ts';
import type { EventStream, StreamOwner } from '../../sse/event-stream.ts';
import type { SseStreams } from '../../sse/sse-streams.ts';
import type { OpenConnection } from '../open-connection.ts';
import { changeNotification } from './frames.ts';
import { LegacySubscriptions } from './subscriptions.ts';
import { type CancellableCall, LegacyTransport } from './transport.ts';

export class LegacySession implements Sink {
  readonly id: string;
  readonly wire = 'legacy event';
  readonly tail = messageEventTail;
  readonly transport: LegacyTransport;
  readonly #definition: ServerDefinition;
  readonly #streams: SseStreams;
  readonly #instance: McpServer;
  readonly #subscriptions: LegacySubscriptions;
  #caller: Caller;
  #expiry: Timer | undefined;
  #stream: EventStream | undefined;
  #streamHold: Hold | undefined;
  #hadStream = false;
  #requests = 0;
  #lastUsed: number;
  readonly #since: number;

  constructor(
    definition: ServerDefinition,
    streams: SseStreams,
    id: string,
    caller: Caller,
    onClose: (session: LegacySession) => void,
    observe?: Observe,
  ) {
    this.id = id;
    this.#definition = definition;
    this.#streams = streams;
    this.#caller = caller;
    this.#lastUsed = definition.clock.now();
    this.#since = definition.clock.date();
    this.transport = new LegacyTransport({
      clock: definition.clock,
      sessionId: id,
      maxRequestBodySize: definition.limits.bodyBytes,
      sendUnrelated: (message) => this.#sendUnrelated(message),
      mayChange: (request) => mayChange(definition, request),
    });
    this.#subscriptions = new LegacySubscriptions(definition, () => this.#caller, this, id);
    try {
      this.#instance = createInstance(definition, {
        caller: () => this.#caller,
        subscriptions: this.#subscriptions,
        observe: observe && ((request) => observe({ ...request, sessionId: id })),
      });
    } catch (error) {
      this.#subscriptions.close();
      throw error;
    }
    const released = this.#instance.server.onclose;
    this.#instance.server.onclose = () => {
      released?.();
      this.#expiry?.cancel();
      this.#subscriptions.close();
      this.#stream?.end();
      onClose(this);
    };
    this.#watchExpiry();
  }

  async connect(): Promise<void> {
    await this.#instance.connect(this.transport);
  }

  async close(): Promise<void> {
    await this.#subscriptions.subscriber.flushAll();
    await this.cut();
  }

  /** Ends the session without sending pending notifications. */
  async cut(): Promise<void> {
    await this.#instance.close();
  }

  /** The caller of its latest request. */
  get caller(): Caller {
    return this.#caller;
  }

  /** The client's name and version. */
  get client(): Implementation | undefined {
    return this.#instance.server.getClientVersion();
  }

  get connection(): OpenConnection {
    return {
      caller: this.#caller,
      client: this.client,
      since: this.#since,
      sessionId: this.id,
      hasStream: this.#stream !== undefined,
      watching: this.#subscriptions.subscriber,
    };
  }

  /** Whether a request with this id can be answered without the SDK. */
  takes(id: RequestId): boolean {
    return this.client !== undefined && !this.transport.isInFlight(id) && !this.isClosed;
  }

  subscribe(uri: string): Promise<void> {
    return this.#subscriptions.subscribe(uri);
  }

  /** The credential of its latest request. */
  get auth(): Credential | undefined {
    return this.#caller.auth;
  }

  /**
   * Whether a request with this caller's credential belongs to this session; a renewed credential replaces the old one.
   */
  admits(caller: Caller): boolean {
    if (caller.auth?.subject !== this.#caller.auth?.subject) return false;
    const isRenewed = caller.auth !== this.#caller.auth;
    this.#caller = caller;
    if (isRenewed) this.#watchExpiry();
    return true;
  }

  /** Runs one request; the session counts as in use until it is answered. */
  async using<T>(work: () => Promise<T>): Promise<T> {
    this.#requests += 1;
    try {
      return await work();
    } finally {
      this.#requests -= 1;
      this.#lastUsed = this.#definition.clock.now();
    }
  }

  /** Registers a call that is answered without the SDK; the session counts as in use until the call is released. */
  hold(call: CancellableCall): void {
    this.#requests += 1;
    this.transport.hold(call);
  }

  release(call: CancellableCall): void {
    this.#requests -= 1;
    this.#lastUsed = this.#definition.clock.now();
    this.transport.release(call);
  }

  get lastUsed(): number {
    return this.#lastUsed;
  }

  isIdleSince(moment: number): boolean {
    return this.#stream === undefined && this.#requests === 0 && this.#lastUsed <= moment;
  }

  /** Whether the session has ended. */
  get isClosed(): boolean {
    return this.#subscriptions.subscriber.isClosed;
  }

  /** Opens the session's stream with `open`; it replaces an earlier one. */
  openStream(open: (owner: StreamOwner, headers: Record<string, string>) => EventStream): void {
    this.#streams.assertRoom(this.#stream ? 1 : 0);
    // A replacement uses the quota of the stream that it replaces.
    this.#streamHold ??= this.#definition.quotas.hold(this.#caller, 'streams', 1);
    const replaced = this.#stream;
    // Cleared before it ends, so that its end does not release the hold.
    this.#stream = undefined;
    replaced?.end();
    const owner: StreamOwner = {
      streamClosed: () => {
        if (this.#stream !== stream) return;
        this.#stream = undefined;
        this.#streamHold?.release();
        this.#streamHold = undefined;
        this.#lastUsed = this.#definition.clock.now();
      },
      streamDrained: () => this.#subscriptions.subscriber.resume(),
    };
    const stream = open(owner, { 'Mcp-Session-Id': this.id });
    this.#stream = stream;
    // Notifications on an earlier stream may not have arrived.
    if (this.#hadStream) this.#subscriptions.subscriber.assumeChanged();
    this.#hadStream = true;
    this.#subscriptions.subscriber.resume();
  }

  get ready(): boolean {
    return this.#stream?.ready ?? false;
  }

  encode(watched: Watched): string {
    return messageEventHead(changeNotification(watched));
  }

  write(frames: string): void {
    this.#stream?.write(frames);
  }

  end(): void {
    void this.close();
  }

  #watchExpiry(): void {
    this.#expiry?.cancel();
    this.#expiry = atExpiry(this.#definition.clock, this.#caller, () => this.end());
  }

  /** Sends requests and log messages that belong to no request of the client. */
  #sendUnrelated(message: JSONRPCMessage): void {
    if (this.#stream?.ready) this.#stream.write(messageEvent(asciiJson(message)));
    else this.#definition.notifier.sendFailed(undefined, 'A message for a session without an open stream was dropped.');
  }
}
