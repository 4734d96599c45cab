// The fetch of an HTTP session. Reports what the SDK does not: whether the notification stream is open and alive, that
// the server does not know the session any more, and that an answer is too large.
import type { Clock } from '@tidings/live';
import { isEventStream } from '@tidings/live/portable';
import { withTimeout } from '@tidings/live/time';
import type { MessageRateLimit } from '../bounds/message-rate-limit.ts';
import type { HttpChannelEvents } from './http-channel-events.ts';
import type { LargeBodyQueue } from './body/large-body-queue.ts';
import type { NotificationStream } from './stream/notification-stream.ts';
import { withOwnSignal } from './body/own-signal.ts';
import type { BodyPassage } from './stream/pass-body.ts';
import { PlainUpdates } from './stream/plain-updates.ts';
import { requestIdIn, guardEvents, guardSize } from './body/size-guard.ts';
import { StreamFields } from './stream/stream-fields.ts';
import type { StreamLiveness } from './stream/stream-liveness.ts';

interface ObservedFetchOptions {
  /** Gets the outcome of the stream's requests. */
  stream: Pick<NotificationStream, 'requested' | 'opened' | 'ended' | 'refused'>;
  events: Pick<HttpChannelEvents, 'failed' | 'lost' | 'unreadable' | 'updated'>;
  clock: Clock;
  liveness: StreamLiveness;
  maxBytes: number;
  rateLimit: MessageRateLimit;
  large: LargeBodyQueue;
}

/** How long the stream may take to open: a request on a dead connection would never fail. */
const streamOpensMs = 10_000;
const notOffered = 405;
/** In 2026-07-28 the status for an unknown method; the body is a JSON-RPC error. */
const notKnown = 404;
const goneStatuses: ReadonlySet<number> = new Set([404, 410]);
const sessionGone = 'The server does not know the session any more; it was probably restarted.';
const streamTooLarge = 'The server sent a message on its notification stream that exceeds the size limit.';

export function observedFetch(base: typeof fetch, options: ObservedFetchOptions): typeof fetch {
  const { clock, stream, events, liveness, maxBytes, rateLimit, large } = options;
  return async (input, init) => {
    const isStream = init?.method === 'GET';
    const headers = init?.headers instanceof Headers ? init.headers : new Headers(init?.headers);
    const isListening = headers.get('mcp-method') === 'subscriptions/listen';
    if (isStream) stream.requested();
    const response = await send();
    if (isStream && response.ok && !isEventStream(response.headers.get('content-type'))) return withoutStream(response);
    if (isStream && response.ok) {
      stream.opened();
      const guard = guardEvents({ maxBytes, rateLimit, refused: () => events.lost(streamTooLarge) });
      return watched(response, streamEnded, guard);
    }
    if (isStream) stream.refused(response.status);
    const isInSession = headers.has('mcp-session-id');
    if (isInSession && goneStatuses.has(response.status)) events.lost(sessionGone);
    else if (isDoubtful(response.status, isInSession)) events.failed();
    const isModern = headers.has('mcp-method');
    const answer = isModern && response.status === notKnown && isJson(response) ? asBadRequest(response) : response;
    const limit = { maxBytes, rateLimit, large, id: requestIdIn(init?.body) };
    if (!isListening) return guardSize(answer, limit);
    if (isEventStream(answer.headers.get('content-type')))
      return watched(answer, reportUnlessAborted, guardEvents(limit));
    return liveness.watch(guardSize(answer, limit), { ended: reportUnlessAborted });

    function streamEnded(): void {
      stream.ended();
      events.failed();
    }

    function watched(answered: Response, ended: () => void, guard: BodyPassage): Response {
      const fields = new StreamFields(events.unreadable);
      const updates = new PlainUpdates(events.updated);
      const takes = (chunk: Uint8Array) => {
        if (updates.take(chunk)) return true;
        fields.push(chunk);
        return false;
      };
      return liveness.watch(answered, { ended, takes }, guard);
    }

    /** Some servers without such a stream answer any GET with a page or an empty body. */
    async function withoutStream({ body }: Response): Promise<Response> {
      stream.refused(notOffered);
      await body?.cancel().catch(() => undefined);
      return new Response(null, { status: notOffered });
    }

    async function send(): Promise<Response> {
      try {
        return isStream ? await fetchWithin(base, input, init, clock) : await base(input, init);
      } catch (error) {
        if (isStream) stream.refused(0);
        reportUnlessAborted();
        throw error;
      }
    }

    function reportUnlessAborted(): void {
      if (init?.signal?.aborted !== true) events.failed();
    }
  };
}

function isJson({ headers }: Response): boolean {
  return headers.get('content-type')?.startsWith('application/json') === true;
}

/** The SDK reads a JSON-RPC error only from a response with status 400. */
function asBadRequest({ body, headers, statusText }: Response): Response {
  return new Response(body, { status: 400, statusText, headers });
}

/** Statuses that may concern more than this request. In 2026-07-28 a 400 or 404 is the answer to one request. */
function isDoubtful(status: number, isInSession: boolean): boolean {
  return status === 401 || status === 403 || status >= 500 || (isInSession && status === 400);
}

/** Limits the time until the headers arrive, not that of the body. */
function fetchWithin(
  base: typeof fetch,
  input: Parameters<typeof fetch>[0],
  init: RequestInit,
  clock: Clock,
): Promise<Response> {
  return withOwnSignal({ signal: init.signal }, (own) => {
    const late = () => {
      own.abort();
      return own.signal.reason;
    };
    return withTimeout(clock, streamOpensMs, base(input, { ...init, signal: own.signal }), late);
  });
}
