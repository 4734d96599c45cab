// The parts of the Gemini Live API (BidiGenerateContent) over WebSocket that a session needs: it accepts a setup,
// records messages, answers on request, and issues handles to resume. Its frames are binary JSON, as Google's are.
import type { WebSocket } from 'ws';
import { z } from 'zod';
import { LoopbackSockets } from './loopback-sockets.ts';

const clientMessage = z.strictObject({
  setup: z
    .strictObject({
      model: z.string().regex(/^models\//),
      generationConfig: z.looseObject({ responseModalities: z.array(z.string()) }),
      sessionResumption: z.strictObject({ handle: z.string().optional() }),
    })
    .optional(),
  clientContent: z
    .strictObject({
      turns: z.array(
        z.strictObject({ role: z.enum(['user', 'model']), parts: z.array(z.strictObject({ text: z.string() })) }),
      ),
      turnComplete: z.boolean(),
    })
    .optional(),
});

type ClientMessage = z.infer<typeof clientMessage>;

export class GeminiServer implements AsyncDisposable {
  readonly received: ClientMessage[] = [];
  /** The key of each connection. */
  readonly keys: (string | null)[] = [];
  /** The reason for which it refuses a setup; undefined: it accepts. */
  refusal: string | undefined;
  readonly #sockets = new LoopbackSockets();

  static async start(): Promise<GeminiServer> {
    const server = new GeminiServer();
    await server.up();
    return server;
  }

  get url(): string {
    return `ws://127.0.0.1:${this.#sockets.port}/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent`;
  }

  /** The texts that were added to the conversation, in order. */
  get texts(): string[] {
    return this.received.flatMap(({ clientContent }) =>
      (clientContent?.turns ?? []).flatMap(({ parts }) => parts.map(({ text }) => text)),
    );
  }

  get setups(): NonNullable<ClientMessage['setup']>[] {
    return this.received.flatMap(({ setup }) => setup ?? []);
  }

  async up(): Promise<void> {
    await this.#sockets.up((socket, req) => {
      this.keys.push(new URL(req.url ?? '', 'ws://x').searchParams.get('key'));
      socket.on('message', (data: Buffer) => this.#receive(socket, JSON.parse(data.toString())));
    });
  }

  async down(): Promise<void> {
    await this.#sockets.down();
  }

  answering(isAnswering: boolean): void {
    const parts = [{ inlineData: { mimeType: 'audio/pcm;rate=24000', data: 'AAAA' } }];
    const serverContent = isAnswering ? { modelTurn: { role: 'model', parts } } : { turnComplete: true };
    for (const socket of this.#sockets.clients) send(socket, { serverContent });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.down();
  }

  #receive(socket: WebSocket, message: unknown): void {
    const { data, error } = clientMessage.safeParse(message);
    // The service's reaction to a frame that it cannot read.
    if (!data) return socket.close(1007, error.message.slice(0, 100));
    this.received.push(data);
    if (!data.setup) return undefined;
    if (this.refusal !== undefined) return socket.close(1008, this.refusal);
    send(socket, { setupComplete: {} });
    return send(socket, { sessionResumptionUpdate: { newHandle: `handle-${this.setups.length}`, resumable: true } });
  }
}

function send(socket: WebSocket, message: object): void {
  socket.send(Buffer.from(JSON.stringify(message)));
}
