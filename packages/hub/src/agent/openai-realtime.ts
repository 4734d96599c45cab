// An OpenAI Realtime session held by the hub, over WebSocket.
import { OpenAIRealtimeWebSocket } from '@openai/agents-realtime';
import type { Clock } from '@tidings/live';
import { delay } from '@tidings/live/time';
import { refusedEvent } from '@tidings/client/tell';
import type { AgentEvents, AgentMessage, AgentPort } from './agent-port.ts';

export interface RealtimeOptions {
  apiKey: string;
  /** Default: OpenAI's. */
  url?: string | undefined;
  model?: string | undefined;
  clock: Pick<Clock, 'after'>;
}

/** How much may be buffered in memory until the socket accepts it. */
const mostBuffered = 64 * 1024;
const lookMs = 20;
/** A connection that leaves a ping unanswered for this long is lost. */
const heartbeatMs = 15_000;

const idPrefix = 'tidings-';

const roles = { notice: 'system', content: 'user' } as const;

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
    const transport = new OpenAIRealtimeWebSocket({ ...(url !== undefined && { url }) });
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
      throw new Error(`The realtime session could not be opened: ${complaintIn(error)}.`, { cause: error });
    }
    if (!isCurrent()) {
      // It was closed before there was a socket.
      hangUp(transport);
      throw new Error('The realtime session is not wanted any more.');
    }
    isOpen = true;
    this.#sent = 0;
    this.#beat(transport, events);
  }

  /** As an item of the conversation, which does not request an answer. */
  async send({ kind, text }: AgentMessage): Promise<void> {
    const transport = this.#transport;
    if (transport?.status !== 'connected') throw new Error('The realtime session is not connected.');
    transport.sendEvent({
      type: 'conversation.item.create',
      // An error refers to it.
      event_id: `${idPrefix}${this.#sent + 1}`,
      item: { type: 'message', role: roles[kind], content: [{ type: 'input_text', text }] },
    });
    this.#sent += 1;
    while (isFull(transport)) await this.#moment();
  }

  async close(): Promise<void> {
    const transport = this.#transport;
    this.#transport = undefined;
    if (transport) hangUp(transport);
  }

  /** When a ping is answered, everything sent before it has arrived. */
  #beat(transport: OpenAIRealtimeWebSocket, events: AgentEvents): void {
    const { clock } = this.#options;
    const { websocket } = transport.connectionState;
    let pinged: number | undefined;
    websocket?.on('pong', () => {
      if (pinged !== undefined && this.#transport === transport) events.arrived(pinged);
      pinged = undefined;
    });
    const beat = () => {
      if (this.#transport !== transport || transport.status !== 'connected') return;
      if (pinged !== undefined) return websocket?.terminate();
      pinged = this.#sent;
      websocket?.ping();
      clock.after(heartbeatMs, beat);
    };
    clock.after(heartbeatMs, beat);
  }

  #moment(): Promise<void> {
    return delay(this.#options.clock, lookMs);
  }
}

function numberIn(eventId: string): number | undefined {
  const number = eventId.startsWith(idPrefix) ? Number(eventId.slice(idPrefix.length)) : Number.NaN;
  return Number.isInteger(number) ? number : undefined;
}

function isFull({ status, connectionState: { websocket } }: OpenAIRealtimeWebSocket): boolean {
  return status === 'connected' && (websocket?.bufferedAmount ?? 0) > mostBuffered;
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
