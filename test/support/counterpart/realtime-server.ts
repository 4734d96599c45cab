// The parts of the OpenAI Realtime API over WebSocket that a session needs: it greets, records messages, and answers on
// request. It can be stopped and started again on its port.
import type { WebSocket } from 'ws';
import { LoopbackSockets } from './loopback-sockets.ts';

export interface Received {
  type: string;
  event_id?: string;
  item?: { role?: string; content?: { type: string; text?: string }[] };
}

export class RealtimeServer implements AsyncDisposable {
  readonly received: Received[] = [];
  /** The Authorization header of each connection. */
  readonly keys: (string | undefined)[] = [];
  /** The message of an error event that answers a received message; undefined: it is accepted. */
  refusal: (received: Received) => string | undefined = () => undefined;
  /** The path of each connection. */
  readonly paths: string[] = [];
  /** Refuses connections, as for a call that is over. */
  callIsOver = false;
  readonly #sockets = new LoopbackSockets();

  static async start(): Promise<RealtimeServer> {
    const server = new RealtimeServer();
    await server.up();
    return server;
  }

  get url(): string {
    return `ws://127.0.0.1:${this.#sockets.port}`;
  }

  get connections(): number {
    return this.#sockets.clients.size;
  }

  /** The texts of the system messages, in order. */
  get messages(): string[] {
    return textsOf(this.received, 'system');
  }

  /** The texts of the user's messages, in order. */
  get contents(): string[] {
    return textsOf(this.received, 'user');
  }

  async up(): Promise<void> {
    await this.#sockets.up(
      (socket, req) => {
        this.keys.push(req.headers.authorization);
        this.paths.push(req.url ?? '');
        send(socket, { type: 'session.created', event_id: 'e1', session: { id: 's1', type: 'realtime' } });
        socket.on('message', (data: Buffer) => this.#receive(socket, JSON.parse(data.toString())));
      },
      { verifyClient: (_: unknown, done: (isFine: boolean, status?: number) => void) => done(!this.callIsOver, 404) },
    );
  }

  async down(): Promise<void> {
    await this.#sockets.down();
  }

  /** Ends all connections. */
  hangUp(): void {
    for (const socket of this.#sockets.clients) socket.close();
  }

  /** Sends the event for the beginning of speech. */
  speak(): void {
    const event = { type: 'input_audio_buffer.speech_started', event_id: 'e5', audio_start_ms: 1, item_id: 'i1' };
    for (const socket of this.#sockets.clients) send(socket, event);
  }

  /** Stops reading from its connections. */
  stall(): void {
    for (const socket of this.#sockets.clients) socket.pause();
  }

  answering(isAnswering: boolean): void {
    const response = { id: 'r1', status: isAnswering ? 'in_progress' : 'completed', output: [] };
    const type = isAnswering ? 'response.created' : 'response.done';
    for (const socket of this.#sockets.clients) send(socket, { type, event_id: 'e2', response });
  }

  /** Sends an error that refers to no received message. */
  complain(message: string): void {
    const error = { type: 'server_error', code: null, message, param: null, event_id: null };
    for (const socket of this.#sockets.clients) send(socket, { type: 'error', event_id: 'e4', error });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.down();
  }

  #receive(socket: WebSocket, received: Received): void {
    this.received.push(received);
    const message = this.refusal(received);
    if (message === undefined) return;
    const { event_id = null } = received;
    const error = { type: 'invalid_request_error', code: 'invalid_value', message, param: 'item', event_id };
    send(socket, { type: 'error', event_id: 'e3', error });
  }
}

/** The texts of the system messages, in order. */
export function systemMessages(received: readonly Received[]): string[] {
  return textsOf(received, 'system');
}

function textsOf(received: readonly Received[], role: 'system' | 'user'): string[] {
  return received.flatMap(({ type, item }) =>
    type === 'conversation.item.create' && item?.role === role ? [item.content?.[0]?.text ?? ''] : [],
  );
}

function send(socket: WebSocket, message: object): void {
  socket.send(JSON.stringify(message));
}
