// One client connection of the fake OBS: the obs-websocket protocol from Hello to the end.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { WebSocket } from 'ws';
import { z } from 'zod';

export interface PeerOptions {
  password: string;
  version: string;
  /** Answers one request, at once or later. */
  handle(this: void, request: Request): Promise<Result>;
  /** Called when a response has been sent. */
  answered(this: void): void;
  /** Resolves when a Reidentify request may be carried out. */
  mayReidentify(this: void): Promise<void> | undefined;
  /** Called with the event mask of an Identify or Reidentify message. */
  identified(this: void, subscriptions: number): void;
}

const request = z.object({
  requestType: z.string(),
  requestId: z.string().optional(),
  requestData: z.record(z.string(), z.unknown()).nullish(),
});
export type Request = z.infer<typeof request>;

export interface Result {
  requestStatus: { result: boolean; code: number; comment?: string };
  responseData?: object;
}

const message = z.object({ op: z.number(), d: z.record(z.string(), z.unknown()) });
const identify = z.object({
  rpcVersion: z.number(),
  authentication: z.string().optional(),
  eventSubscriptions: z.number().optional(),
});
const batch = z.object({ requestId: z.string(), haltOnFailure: z.boolean().optional(), requests: z.array(request) });

/** All events except those of high volume. */
const usualEvents = 0x7ff;

export class FakePeer {
  readonly #socket: WebSocket;
  readonly #options: PeerOptions;
  readonly #salt = randomBytes(16).toString('base64');
  readonly #challenge = randomBytes(16).toString('base64');
  #subscriptions = usualEvents;
  #isIdentified = false;

  constructor(socket: WebSocket, options: PeerOptions) {
    this.#socket = socket;
    this.#options = options;
    socket.on('message', (data: Buffer) => void this.#received(data.toString('utf8')));
    const authentication = { challenge: this.#challenge, salt: this.#salt };
    const greeting = { obsWebSocketVersion: options.version, rpcVersion: 1 };
    this.#send(0, { ...greeting, ...(options.password && { authentication }) });
  }

  event(eventType: string, eventIntent: number, eventData: object | undefined): void {
    if (!this.#isIdentified || (this.#subscriptions & eventIntent) === 0) return;
    this.#send(5, { eventType, eventIntent, ...(eventData && { eventData }) });
  }

  close(code: number, reason = ''): void {
    this.#socket.close(code, reason);
  }

  /** Resolves when the client has received everything that was sent, or has left. */
  delivered(): Promise<void> {
    const socket = this.#socket;
    if (socket.readyState !== socket.OPEN) return Promise.resolve();
    return new Promise((resolve) => {
      socket.once('pong', () => resolve());
      socket.once('close', () => resolve());
      socket.ping();
    });
  }

  /** Ends the connection without a closing handshake, as a killed process does. */
  cut(): void {
    this.#socket.terminate();
  }

  #send(op: number, d: object): void {
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.send(JSON.stringify({ op, d }));
  }

  async #received(text: string): Promise<void> {
    const parsed = message.safeParse(safeJson(text));
    if (!parsed.success) return this.close(4002, 'Your message could not be decoded.');
    const { op, d } = parsed.data;
    if (op === 1) return this.#identify(d);
    if (!this.#isIdentified) return this.close(4007, 'You attempted to send a non-Identify message.');
    if (op === 3) return this.#reidentify(d);
    if (op === 6) return this.#request(d);
    if (op === 8) return this.#batch(d);
    this.close(4006, `Unknown OpCode: ${op}`);
  }

  #identify(d: object): void {
    if (this.#isIdentified) return this.close(4008, 'You are already Identified.');
    const { rpcVersion, authentication = '', eventSubscriptions = usualEvents } = identify.parse(d);
    if (this.#options.password && !this.#isProof(authentication)) return this.close(4009, 'Authentication failed.');
    if (rpcVersion !== 1) return this.close(4010, 'Your requested RPC version is not supported by this server.');
    this.#isIdentified = true;
    this.#subscriptions = eventSubscriptions;
    this.#options.identified(eventSubscriptions);
    this.#send(2, { negotiatedRpcVersion: 1 });
  }

  async #reidentify(d: object): Promise<void> {
    await this.#options.mayReidentify();
    const { eventSubscriptions } = identify.partial().parse(d);
    this.#subscriptions = eventSubscriptions ?? this.#subscriptions;
    this.#options.identified(this.#subscriptions);
    this.#send(2, { negotiatedRpcVersion: 1 });
  }

  async #request(d: object): Promise<void> {
    const asked = request.parse(d);
    const result = await this.#options.handle(asked);
    this.#send(7, { requestType: asked.requestType, requestId: asked.requestId, ...result });
    this.#options.answered();
  }

  async #batch(d: object): Promise<void> {
    const { requestId, requests, haltOnFailure = false } = batch.parse(d);
    const results = [];
    for (const each of requests) {
      const result = await this.#options.handle(each);
      results.push({ requestType: each.requestType, requestId: each.requestId, ...result });
      if (haltOnFailure && !result.requestStatus.result) break;
    }
    this.#send(9, { requestId, results });
    this.#options.answered();
  }

  #isProof(given: string): boolean {
    const secret = sha256(this.#options.password + this.#salt);
    const [a, b] = [Buffer.from(sha256(secret + this.#challenge)), Buffer.from(given)];
    return a.length === b.length && timingSafeEqual(a, b);
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}

function safeJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
