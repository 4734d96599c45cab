// For a page that holds a realtime session itself, over WebRTC or WebSocket: each update is put into the
// conversation.
import { Telling, type TellingOptions, linesOf } from './telling.ts';

/** What is used of a `RealtimeSession` of `@openai/agents-realtime`. */
export interface RealtimeSessionLike {
  transport: {
    /** Throws while the session is not connected. */
    sendEvent(event: { type: string; [field: string]: unknown }): void;
    /** That of a WebSocket has a `websocket`. */
    readonly connectionState?: object;
    /** For `when: 'between-turns'`. */
    on?(event: 'turn_started' | 'turn_done', listener: () => void): unknown;
    off?(event: 'turn_started' | 'turn_done', listener: () => void): unknown;
  };
}

/** How soon a session that was not connected is tried again. */
const retryMs = 500;

/**
 * Begins to tell; returns how to stop. The message asks for no answer by itself. What happens while the session is
 * not connected waits, merged by resource, and is told when it is.
 */
export function tellRealtimeSession(session: RealtimeSessionLike, options: TellingOptions): () => void {
  const ending = new AbortController();
  const telling = new Telling(options);
  const { transport } = session;
  const begin = () => telling.answering(true);
  const end = () => telling.answering(false);
  transport.on?.('turn_started', begin);
  transport.on?.('turn_done', end);
  void tell(session, telling, ending.signal);
  return () => {
    ending.abort();
    transport.off?.('turn_started', begin);
    transport.off?.('turn_done', end);
  };
}

async function tell({ transport }: RealtimeSessionLike, telling: Telling, signal: AbortSignal): Promise<void> {
  for await (const batch of telling.batches(signal)) {
    let told = 0;
    try {
      for (const text of linesOf(batch)) {
        if (isLeaving(transport.connectionState)) throw new Error('The session is being closed.');
        transport.sendEvent({
          type: 'conversation.item.create',
          item: { type: 'message', role: 'system', content: [{ type: 'input_text', text }] },
        });
        told += 1;
      }
    } catch {
      // It is not connected. A turn that was under way is over.
      telling.giveBack(batch.isSummary ? batch.news : batch.news.slice(told));
      telling.answering(false);
      await new Promise((resolve) => setTimeout(resolve, retryMs));
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
