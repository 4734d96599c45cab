// For a page that holds a realtime session itself, over WebRTC or WebSocket: each update is added to the
// conversation.
import { delay, foregroundClock } from '@tidings/live/time';
import { newsMessage } from '../tell/message.ts';
import { RejectedMessages } from '../tell/rejected-messages.ts';
import { refusedEvent } from '../tell/refused-event.ts';
import type { FollowedNews } from './follow.ts';
import { Telling, type TellingOptions, linesOf } from './telling.ts';

/** The part of a `RealtimeSession` of `@openai/agents-realtime` that is used. */
export interface RealtimeSessionLike {
  transport: {
    /** Throws while the session is not connected. */
    sendEvent(event: { type: string; [field: string]: unknown }): void;
    /** A WebSocket transport has a `websocket`. */
    readonly connectionState?: object;
    /** For `when: 'between-turns'`, and to notice rejected messages. */
    on?(event: TransportEvent, listener: (event?: unknown) => void): unknown;
    off?(event: TransportEvent, listener: (event?: unknown) => void): unknown;
  };
}

type TransportEvent = 'turn_started' | 'turn_done' | 'error';

/** Which updates a realtime session gets, and when. Default: all, at once. */
export interface RealtimeTellingOptions extends TellingOptions {
  /** Called with a line that the session rejected several times. Default: a warning on the console. */
  onRefused?: (line: string, reason: string) => void;
}

/** How soon a session that was not connected is tried again. */
const retryMs = 500;

/**
 * Starts sending lines; returns a function that stops it. A line does not request an answer. Updates that arrive while
 * the session is not connected wait, merged by resource. Lines that the session rejects are sent again a few times.
 *
 * @example
 * const stop = tellRealtimeSession(session, { hub: 'http://127.0.0.1:7411' });
 */
export function tellRealtimeSession(session: RealtimeSessionLike, options: RealtimeTellingOptions): () => void {
  const ending = new AbortController();
  const telling = new Telling(options);
  const { transport } = session;
  const { onRefused = warn } = options;
  const rejectedMessages = new RejectedMessages<FollowedNews>({
    clock: foregroundClock,
    again: (news) => telling.requeue(news, 1),
    giveUp: (news, reason) => news.forEach((each) => onRefused(newsMessage(each), reason)),
  });
  const begin = () => telling.answering(true);
  const end = () => telling.answering(false);
  const refuse = (error: unknown) => {
    const refused = refusedEvent(error);
    if (refused) rejectedMessages.rejected(refused.eventId, refused.reason);
  };
  transport.on?.('turn_started', begin);
  transport.on?.('turn_done', end);
  transport.on?.('error', refuse);
  void tell(session, telling, rejectedMessages, ending.signal);
  return () => {
    ending.abort();
    rejectedMessages.takeDue();
    transport.off?.('turn_started', begin);
    transport.off?.('turn_done', end);
    transport.off?.('error', refuse);
  };
}

function warn(line: string, reason: string): void {
  console.warn(`The realtime session refused a message (${reason}). Not told: ${line}`);
}

async function tell(
  { transport }: RealtimeSessionLike,
  telling: Telling,
  rejectedMessages: RejectedMessages<FollowedNews>,
  signal: AbortSignal,
): Promise<void> {
  // Identifies our own events among those of other senders on this session.
  const prefix = `tidings-${Math.random().toString(36).slice(2, 10)}-`;
  let sent = 0;
  for await (const batch of telling.batches(signal)) {
    let delivered = 0;
    try {
      for (const text of linesOf(batch)) {
        if (isLeaving(transport.connectionState)) throw new Error('The session is being closed.');
        sent += 1;
        const id = `${prefix}${sent}`;
        rejectedMessages.sent(id, batch.isSummary ? batch.news : batch.news.slice(delivered, delivered + 1));
        transport.sendEvent({
          type: 'conversation.item.create',
          // An error refers to it by this id.
          event_id: id,
          item: { type: 'message', role: 'system', content: [{ type: 'input_text', text }] },
        });
        delivered += 1;
      }
    } catch {
      // The session is not connected; a turn in progress has ended.
      if (batch.isSummary) telling.requeue(batch.news, 1);
      else telling.requeue(batch.news.slice(delivered));
      telling.answering(false);
      await delay(foregroundClock, retryMs, signal);
    }
  }
}

/** A browser accepts messages for a socket that is closing, and drops them silently. */
function isLeaving(state: object | undefined): boolean {
  const socket = state && 'websocket' in state ? state.websocket : undefined;
  return typeof socket === 'object' && socket !== null && 'readyState' in socket && socket.readyState !== open;
}

/** `WebSocket.OPEN`, also where that class does not exist. */
const open = 1;
