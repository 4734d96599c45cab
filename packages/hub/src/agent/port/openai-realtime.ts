// An OpenAI Realtime session over WebSocket: one that the hub holds, or a call in progress that it joins.
import { OpenAIRealtimeWebSocket } from '@openai/agents-realtime';
import type { Clock } from '@tidings/live';
import { refusedEvent } from '@tidings/client/tell';
import type { AgentEvents, AgentMessage, AgentPort } from './agent-port.ts';
import { drained } from './drained.ts';
import { isCall } from './is-call.ts';
import { SessionOver } from './session-over.ts';
import { startHeartbeat } from './socket-heartbeat.ts';

interface RealtimeOptions {
  apiKey: string;
  /**
   * Default: OpenAI's. With a `call_id`, that call is joined: it keeps its settings, and is not reopened when it ends.
   */
  url?: string | undefined;
  model?: string | undefined;
  clock: Pick<Clock, 'after'>;
}

const idPrefix = 'tidings-';

const roles = { notice: 'system', content: 'user' } as const;

/**
 * A call that another program holds. The transport would send its own settings when it connects, and cancel the answer
 * when the user speaks; in a conversation with a person only messages may be added.
 */
class JoinedCall extends OpenAIRealtimeWebSocket {
  override sendEvent(event: Parameters<OpenAIRealtimeWebSocket['sendEvent']>[0]): void {
    if (event.type === 'conversation.item.create') super.sendEvent(event);
  }
}

export class OpenAiRealtimePort implements AgentPort {
  readonly kind = 'openai-realtime';
  readonly confirms = true;
  readonly #options: RealtimeOptions;
  #transport: OpenAIRealtimeWebSocket | undefined;
  #sent = 0;

  constructor(options: RealtimeOptions) {
    this.#options = options;
  }

  async open(events: AgentEvents): Promise<void> {
    const { apiKey, url, model } = this.#options;
    const joins = url !== undefined && isCall(url);
    const transport = new (joins ? JoinedCall : OpenAIRealtimeWebSocket)({ ...(url !== undefined && { url }) });
    if (this.#transport) hangUp(this.#transport);
    this.#transport = transport;
    const isCurrent = () => this.#transport === transport;
    let isOpen = false;
    let complaint = '';
    transport.on('turn_started', () => isCurrent() && events.answering(true));
    transport.on('turn_done', () => isCurrent() && events.answering(false));
    transport.on('error', (error) => {
      // The last error before the end may give its reason.
      complaint = complaintIn(error);
      const refused = refusedEvent(error);
      const message = refused && numberIn(refused.eventId);
      // Other errors concern the conversation, not a message of the hub.
      if (message !== undefined && isCurrent()) events.refused(message, refused?.reason ?? '');
    });
    transport.on('connection_change', (status) => {
      if (status !== 'disconnected' || !isOpen || !isCurrent()) return;
      events.lost(`The realtime session was closed${complaint === '' ? '' : `: ${complaint}`}.`);
    });
    try {
      await transport.connect({ apiKey, ...(model !== undefined && { model }) });
    } catch (error) {
      const reason = complaintIn(error);
      if (joins && /\b(404|410)\b/.test(reason)) throw new SessionOver('The call is over.');
      throw new Error(`The realtime session could not be opened: ${reason}.`, { cause: error });
    }
    if (!isCurrent()) {
      // It was closed before the socket existed.
      hangUp(transport);
      throw new Error('The realtime session was closed before it was open.');
    }
    isOpen = true;
    this.#sent = 0;
    startHeartbeat(transport.connectionState.websocket, {
      clock: this.#options.clock,
      sent: () => this.#sent,
      isCurrent: () => isCurrent() && transport.status === 'connected',
      arrived: (messages) => events.arrived(messages),
    });
  }

  /** Sends an item of the conversation, which does not request an answer. */
  async send({ kind, text }: AgentMessage): Promise<void> {
    const transport = this.#transport;
    if (transport?.status !== 'connected') throw new Error('The realtime session is not connected.');
    transport.sendEvent({
      type: 'conversation.item.create',
      // Errors refer to the message by this id.
      event_id: `${idPrefix}${this.#sent + 1}`,
      item: { type: 'message', role: roles[kind], content: [{ type: 'input_text', text }] },
    });
    this.#sent += 1;
    await drained(this.#options.clock, () => bufferedBy(transport));
  }

  async close(): Promise<void> {
    const transport = this.#transport;
    this.#transport = undefined;
    if (transport) hangUp(transport);
  }
}

function numberIn(eventId: string): number | undefined {
  const number = eventId.startsWith(idPrefix) ? Number(eventId.slice(idPrefix.length)) : Number.NaN;
  return Number.isInteger(number) ? number : undefined;
}

function bufferedBy({ status, connectionState: { websocket } }: OpenAIRealtimeWebSocket): number | undefined {
  return status === 'connected' ? websocket?.bufferedAmount : undefined;
}

/** Errors come as Error objects, socket events and API messages, nested in each other. */
function complaintIn(error: unknown, depth = 0): string {
  if (typeof error !== 'object' || error === null || depth > 3) return '';
  if ('message' in error && typeof error.message === 'string' && error.message !== '') {
    return error.message.replace(/\.$/, '');
  }
  return 'error' in error ? complaintIn(error.error, depth + 1) : '';
}

/** Closing a socket that is still connecting throws. */
function hangUp(transport: OpenAIRealtimeWebSocket): void {
  try {
    transport.close();
  } catch {
    // The socket is closed all the same.
  }
}
