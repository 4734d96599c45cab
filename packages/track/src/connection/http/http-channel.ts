// The connection with a server over HTTP: the transport, the notification stream of the 2025 era, and the signs of both
// for the health of the connection.
import { type ReadResourceResult, parseJSONRPCMessage } from '@modelcontextprotocol/client';
import type { Clock } from '@tidings/live';
import { endsWithin } from '@tidings/live/time';
import type { CopyBudget } from '../../base/copy-budget.ts';
import type { CancellableRequest } from '../../base/cancellable-request.ts';
import type { UrlEntry } from '../../config/config.ts';
import type { ServerLogin } from '../../login/server-login.ts';
import type { HealthDeps } from '../session/health-check.ts';
import { authorizedFetch } from './authorized-fetch.ts';
import type { HttpChannelEvents } from './http-channel-events.ts';
import { HttpTransport } from './http-transport.ts';
import { LargeBodyQueue } from './body/large-body-queue.ts';
import { withUrlCredentials } from '../error/url-credentials.ts';
import { MessageRateLimit } from '../bounds/message-rate-limit.ts';
import { NotificationStream } from './stream/notification-stream.ts';
import { observedFetch } from './observed-fetch.ts';
import { PlainRequests } from './direct/plain-requests.ts';
import { Resending } from './resend/resending.ts';
import { resendingFetch } from './resend/resending-fetch.ts';
import type { Era } from '../session/session.ts';
import { type KeepAliveInterval, StreamLiveness } from './stream/stream-liveness.ts';

export interface HttpDeps extends HealthDeps {
  fetch: typeof fetch;
  /** The login at this server; undefined if its entry has credentials of its own, or needs none. */
  login: ServerLogin | undefined;
  maxMessageBytes: number;
}

/** Replaces the server's `retry`: the SDK would wait that long without notifications, or not at all. */
const [shortestReopenMs, longestReopenMs] = [100, 1000];
const endMs = 1000;
const streamStuck = 'The server refuses a new notification stream, because it considers a dead one open.';

export class HttpChannel {
  readonly transport: HttpTransport;
  readonly stream: NotificationStream;
  readonly liveness: StreamLiveness;
  readonly #clock: Clock;
  readonly #resending: Resending;
  readonly #plain: PlainRequests | undefined;

  constructor(entry: UrlEntry, keepAlive: KeepAliveInterval, deps: HttpDeps, events: HttpChannelEvents) {
    const { clock, fetch, health, login, maxMessageBytes, random } = deps;
    const { url, headers } = withUrlCredentials(entry);
    this.#clock = clock;
    this.#resending = new Resending({
      clock,
      lateMs: health.answerMs,
      overtaken: (sentAt) => this.renewSilent(sentAt),
    });
    // A fetch that the application provides may change requests, so it must send all of them.
    if (fetch === globalThis.fetch) {
      this.#plain = new PlainRequests({
        url: new URL(url),
        headers,
        login,
        clock,
        resending: this.#resending,
        heard: events.heard,
        receive: (message) => this.#receive(message, events),
      });
    }
    this.liveness = new StreamLiveness({ clock, shortestMs: health.shortestPulseMs, keepAlive });
    this.stream = new NotificationStream({
      clock,
      random,
      // The observed fetch below reports the outcome.
      request: () => void this.transport.resumeStream('').catch(() => undefined),
      changed: events.deliveryChanged,
      gap: events.gap,
      stuck: () => events.lost(streamStuck),
    });
    this.transport = new HttpTransport(new URL(url), {
      requestInit: { headers },
      fetch: observedFetch(resendingFetch(authorizedFetch(fetch, login, new URL(url).origin), this.#resending), {
        stream: this.stream,
        events,
        liveness: this.liveness,
        clock,
        rateLimit: new MessageRateLimit(clock),
        large: new LargeBodyQueue(),
        maxBytes: maxMessageBytes,
      }),
      reconnectionOptions: {
        initialReconnectionDelay: 100,
        maxReconnectionDelay: longestReopenMs,
        reconnectionDelayGrowFactor: 2,
        maxRetries: 1,
      },
      reconnectionScheduler: (reconnect, delayMs) => {
        const timer = clock.after(Math.min(longestReopenMs, Math.max(shortestReopenMs, delayMs)), reconnect);
        return () => timer.cancel();
      },
    });
  }

  /**
   * Call it when the server answers again, after a silence that began at `since`. Streams and requests from before may
   * stay silent, since a network drops connections one by one: these streams are opened again, and these requests are
   * sent again.
   */
  renewSilent(since: number): void {
    this.liveness.endSilent(since);
    this.#plain?.dropIdle();
    this.#resending.renew(this.#clock.now());
  }

  /**
   * Resolves with true if the server accepted the subscription, false if it has to be requested through the SDK.
   * Rejects if the server refuses.
   */
  async subscribe(uri: string, answerMs: number): Promise<boolean> {
    return (await this.#plain?.subscribe(uri, this.transport, answerMs)) ?? false;
  }

  /** The contents of a resource; undefined if it has to be read through the SDK. Rejects if the server refuses. */
  read(
    uri: string,
    era: Era,
    answerMs: number,
    copies: CopyBudget,
  ): CancellableRequest<ReadResourceResult | undefined> | undefined {
    const envelope = era === 'modern' ? this.transport.envelope : undefined;
    if (era === 'modern' && envelope === undefined) return undefined;
    return this.#plain?.read(uri, this.transport, envelope, answerMs, copies);
  }

  #receive(message: unknown, events: HttpChannelEvents): void {
    try {
      this.transport.onmessage?.(parseJSONRPCMessage(message));
    } catch {
      events.unreadable();
    }
  }

  /** Asks the server to end the session, which many servers otherwise keep for half an hour. */
  async end(): Promise<void> {
    this.stream.stop();
    this.#plain?.close();
    const terminated = this.transport.terminateSession().catch(() => undefined);
    await endsWithin(this.#clock, endMs, terminated);
  }
}
