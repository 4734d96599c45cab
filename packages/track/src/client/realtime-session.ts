// For a page that holds a realtime session itself, over WebRTC or WebSocket: each update is put into the
// conversation.
import { delay, foregroundClock } from '@tidings/live/time';
import { newsMessage } from '../tell/message.ts';
import { Refusals } from '../tell/refusals.ts';
import { refusedEvent } from '../tell/refused-event.ts';
import { Telling, type TellingOptions, linesOf } from './telling.ts';

/** What is used of a `RealtimeSession` of `@openai/agents-realtime`. */
export interface RealtimeSessionLike {
  transport: {
    /** Throws while the session is not connected. */
    sendEvent(event: { type: string; [field: string]: unknown }): void;
    /** That of a WebSocket has a `websocket`. */
    readonly connectionState?: object;
    /** For `when: 'between-turns'`, and to hear of what the session refuses. */
    on?(event: TransportEvent, listener: (event?: unknown) => void): unknown;
    off?(event: TransportEvent, listener: (event?: unknown) => void): unknown;
  };
}

type TransportEvent = 'turn_started' | 'turn_done' | 'error';

export interface RealtimeTellingOptions extends TellingOptions {
  /** Told of a line that the session refused several times. Default: a warning on the console. */
  onRefused?: (line: string, reason: string) => void;
}

/** How soon a session that was not connected is tried again. */
const retryMs = 500;

/**
 * Begins to tell; returns how to stop. The message asks for no answer by itself. What happens while the session is
 * not connected waits, merged by resource, and is told when it is. What it refuses is told again, a few times.
 */
export function tellRealtimeSession(session: RealtimeSessionLike, options: RealtimeTellingOptions): () => void {
  const ending = new AbortController();
  const telling = new Telling(options);
  const { transport } = session;
  const { onRefused = warn } = options;
  const refusals = new Refusals({
    clock: foregroundClock,
    again: (news) => telling.giveBack(news),
    giveUp: (news, reason) => news.forEach((each) => onRefused(newsMessage(each), reason)),
  });
  const begin = () => telling.answering(true);
  const end = () => telling.answering(false);
  const refuse = (error: unknown) => {
    const refused = refusedEvent(error);
    if (refused) refusals.refused(refused.eventId, refused.reason);
  };
  transport.on?.('turn_started', begin);
  transport.on?.('turn_done', end);
  transport.on?.('error', refuse);
  void tell(session, telling, refusals, ending.signal);
  return () => {
    ending.abort();
    refusals.takeDue();
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
  refusals: Refusals,
  signal: AbortSignal,
): Promise<void> {
  // No other sender's, not even that of a second one who tells this session.
  const prefix = `tidings-${Math.random().toString(36).slice(2, 10)}-`;
  let sent = 0;
  for await (const batch of telling.batches(signal)) {
    let told = 0;
    try {
      for (const text of linesOf(batch)) {
        if (isLeaving(transport.connectionState)) throw new Error('The session is being closed.');
        sent += 1;
        const id = `${prefix}${sent}`;
        refusals.sent(id, batch.isSummary ? batch.news : batch.news.slice(told, told + 1));
        transport.sendEvent({
          type: 'conversation.item.create',
          // An error names it.
          event_id: id,
          item: { type: 'message', role: 'system', content: [{ type: 'input_text', text }] },
        });
        told += 1;
      }
    } catch {
      // It is not connected. A turn that was under way is over.
      telling.giveBack(batch.isSummary ? batch.news : batch.news.slice(told));
      telling.answering(false);
      await delay(foregroundClock, retryMs, signal);
    }
  }
}

/** A browser takes messages for a socket that is being closed, and drops them without a word. */
function isLeaving(state: object | undefined): boolean {
  const socket = state && 'websocket' in state ? state.websocket : undefined;
  return typeof socket === 'object' && socket !== null && 'readyState' in socket && socket.readyState !== open;
}

/** `WebSocket.OPEN`, also where there is no such class. */
const open = 1;
