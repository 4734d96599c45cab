// An OpenAI Realtime session that the hub holds itself, over WebSocket.
import { OpenAIRealtimeWebSocket } from '@openai/agents-realtime';
import type { AgentEvents, AgentPort } from './agent-port.ts';

export interface RealtimeOptions {
  apiKey: string;
  /** Default: OpenAI's. */
  url?: string | undefined;
  model?: string | undefined;
}

export class OpenAiRealtimePort implements AgentPort {
  readonly kind = 'openai-realtime';
  readonly #options: RealtimeOptions;
  #transport: OpenAIRealtimeWebSocket | undefined;

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
    transport.on('turn_started', () => isCurrent() && events.answering(true));
    transport.on('turn_done', () => isCurrent() && events.answering(false));
    // Its errors are told when the connection changes, or are the conversation's own matter.
    transport.on('error', () => undefined);
    transport.on('connection_change', (status) => {
      if (status === 'disconnected' && isOpen && isCurrent()) events.lost('The realtime session was closed.');
    });
    await transport.connect({ apiKey, ...(model !== undefined && { model }) });
    isOpen = true;
  }

  /** As an item of the conversation: that asks for no answer. */
  async send(text: string): Promise<void> {
    if (this.#transport?.status !== 'connected') throw new Error('The realtime session is not connected.');
    this.#transport.sendEvent({
      type: 'conversation.item.create',
      item: { type: 'message', role: 'system', content: [{ type: 'input_text', text }] },
    });
  }

  async close(): Promise<void> {
    const transport = this.#transport;
    this.#transport = undefined;
    if (transport) hangUp(transport);
  }
}

/** One that is still being connected to complains about it. */
function hangUp(transport: OpenAIRealtimeWebSocket): void {
  try {
    transport.close();
  } catch {
    // It is gone all the same.
  }
}
