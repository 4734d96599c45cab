// A Gemini Live session held by the hub (BidiGenerateContent over WebSocket).
//
//   hub                                server
//   setup {model, sessionResumption} ─►
//                                   ◄─ setupComplete
//   clientContent {turns} ───────────►           added to the conversation; turnComplete false asks for no answer
//                                   ◄─ serverContent {modelTurn | turnComplete | interrupted}
//                                   ◄─ sessionResumptionUpdate {newHandle}   the same conversation after a new connection
import type { Clock } from '@tidings/live';
import { type RawData, WebSocket } from 'ws';
import { z } from 'zod';
import type { AgentEvents, AgentMessage, AgentPort } from './agent-port.ts';
import { drained } from './drained.ts';
import { startHeartbeat } from './socket-heartbeat.ts';

interface GeminiOptions {
  apiKey: string;
  /** Default: the address of Google. */
  url?: string | undefined;
  model: string;
  clock: Pick<Clock, 'after'>;
}

const geminiUrl =
  'wss://generativelanguage.googleapis.com/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent';

const serverMessage = z.object({
  setupComplete: z.object({}).optional(),
  serverContent: z
    .object({
      modelTurn: z.unknown().optional(),
      turnComplete: z.boolean().optional(),
      interrupted: z.boolean().optional(),
    })
    .optional(),
  sessionResumptionUpdate: z.object({ newHandle: z.string().optional(), resumable: z.boolean().optional() }).optional(),
});

export class GeminiLivePort implements AgentPort {
  readonly kind = 'gemini-live';
  readonly confirms = true;
  readonly #options: GeminiOptions;
  #socket: WebSocket | undefined;
  #sent = 0;
  /** The handle with which a new connection continues the conversation. */
  #handle: string | undefined;

  constructor(options: GeminiOptions) {
    this.#options = options;
  }

  async open(events: AgentEvents): Promise<void> {
    const { apiKey, url = geminiUrl, clock } = this.#options;
    const address = new URL(url);
    // The key is part of the address, as in Google's own clients, so the address is never shown.
    address.searchParams.set('key', apiKey);
    const socket = new WebSocket(address);
    this.#socket?.terminate();
    this.#socket = socket;
    const isCurrent = () => this.#socket === socket && socket.readyState === WebSocket.OPEN;
    await this.#setUp(socket, events);
    if (!isCurrent()) {
      socket.terminate();
      throw new Error('The Gemini session was closed before it was open.');
    }
    this.#sent = 0;
    startHeartbeat(socket, { clock, sent: () => this.#sent, isCurrent, arrived: (count) => events.arrived(count) });
  }

  /** The API has no role for the system within a conversation, so both kinds are the user's. */
  async send({ text }: AgentMessage): Promise<void> {
    const socket = this.#socket;
    if (socket?.readyState !== WebSocket.OPEN) throw new Error('The Gemini session is not connected.');
    const turns = [{ role: 'user', parts: [{ text }] }];
    socket.send(JSON.stringify({ clientContent: { turns, turnComplete: false } }));
    this.#sent += 1;
    const isOpen = () => socket.readyState === WebSocket.OPEN;
    await drained(this.#options.clock, () => (isOpen() ? socket.bufferedAmount : undefined));
  }

  async close(): Promise<void> {
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.close();
  }

  /** Resolves when the server has accepted the settings. */
  #setUp(socket: WebSocket, events: AgentEvents): Promise<void> {
    const { model } = this.#options;
    const resumed = this.#handle;
    return new Promise((resolve, reject) => {
      let isOpen = false;
      let problem = '';
      socket.on('open', () => {
        const setup = {
          model: model.startsWith('models/') ? model : `models/${model}`,
          generationConfig: { responseModalities: ['AUDIO'] },
          sessionResumption: resumed === undefined ? {} : { handle: resumed },
        };
        socket.send(JSON.stringify({ setup }));
      });
      socket.on('error', ({ message }) => (problem = message.replace(/\.$/, '')));
      socket.on('close', (_code, reason) => {
        const words = reason.toString() || problem;
        const end = words === '' ? '' : `: ${words}`;
        if (!isOpen) {
          // A conversation that cannot be continued must not keep a new one from beginning.
          this.#handle = undefined;
          reject(new Error(`The Gemini session could not be opened${end}.`));
        } else if (this.#socket === socket) events.lost(`The Gemini session was closed${end}.`);
      });
      socket.on('message', (data) => {
        const message = parsed(data);
        if (message.setupComplete) {
          isOpen = true;
          resolve();
        }
        if (this.#socket === socket) this.#take(message, events);
      });
    });
  }

  #take({ serverContent, sessionResumptionUpdate: update }: z.infer<typeof serverMessage>, events: AgentEvents): void {
    if (update?.resumable && update.newHandle) this.#handle = update.newHandle;
    if (!serverContent) return;
    const isOver = serverContent.turnComplete === true || serverContent.interrupted === true;
    if (isOver || serverContent.modelTurn !== undefined) events.answering(!isOver);
  }
}

/** Google sends JSON in binary frames. Unknown messages are ignored. */
function parsed(data: RawData): z.infer<typeof serverMessage> {
  try {
    const bytes = Array.isArray(data)
      ? Buffer.concat(data)
      : Buffer.from(data instanceof ArrayBuffer ? new Uint8Array(data) : data);
    return serverMessage.parse(JSON.parse(bytes.toString()));
  } catch {
    return {};
  }
}
