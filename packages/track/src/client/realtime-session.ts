// For a page that holds a realtime session itself, over WebRTC or WebSocket: each update is put into the
// conversation.
import { type UpdatesOptions, updates } from './updates.ts';

/** What is used of a `RealtimeSession` of `@openai/agents-realtime`. */
export interface RealtimeSessionLike {
  transport: { sendEvent(event: { type: string; [field: string]: unknown }): void };
}

/** Begins to tell; returns how to stop. The message asks for no answer by itself. */
export function tellRealtimeSession(session: RealtimeSessionLike, options: Omit<UpdatesOptions, 'signal'>): () => void {
  const ending = new AbortController();
  void tell(session, { ...options, signal: ending.signal });
  return () => ending.abort();
}

async function tell({ transport }: RealtimeSessionLike, options: UpdatesOptions): Promise<void> {
  for await (const text of updates(options)) {
    transport.sendEvent({
      type: 'conversation.item.create',
      item: { type: 'message', role: 'system', content: [{ type: 'input_text', text }] },
    });
  }
}
