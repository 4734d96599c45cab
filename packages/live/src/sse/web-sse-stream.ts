// A long event stream as the body of a web-standard response. The body's queue is as small as a socket's buffer, so a
// stalled client uses no more memory than that.
import { type EventStream, StallCount, type StreamOwner, pieceSize, streamHeaders } from './event-stream.ts';
import type { SseStreams } from './sse-streams.ts';

/** As much as Node queues on a socket. */
const queueBytes = 16 * 1024;
const encoder = new TextEncoder();

export class WebSseStream implements EventStream {
  readonly response: Response;
  readonly #streams: SseStreams;
  readonly #owner: StreamOwner;
  readonly #stall = new StallCount();
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #isFull = false;

  constructor(streams: SseStreams, owner: StreamOwner, headers: Record<string, string> = {}) {
    this.#streams = streams;
    this.#owner = owner;
    const body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
        },
        pull: () => this.#drained(),
        cancel: () => this.close(),
      },
      new ByteLengthQueuingStrategy({ highWaterMark: queueBytes }),
    );
    this.response = new Response(body, { headers: { ...streamHeaders, ...headers } });
    streams.add(this);
  }

  get ready(): boolean {
    return (this.#controller?.desiredSize ?? 0) > 0;
  }

  write(text: string): void {
    if (this.#controller === undefined) return;
    const bytes = encoder.encode(text);
    for (let at = 0; at < bytes.length; at += pieceSize) this.#controller.enqueue(bytes.subarray(at, at + pieceSize));
    if (!this.ready) this.#isFull = true;
  }

  sweep(keepAlive: string, patience: number): void {
    if (this.ready) {
      this.#stall.moved();
      this.write(keepAlive);
    } else if (this.#stall.stalled([-(this.#controller?.desiredSize ?? 0)]) >= patience) {
      this.#controller?.error(new Error('The client has not read from this stream for too long.'));
      this.close();
    }
  }

  end(lastWords = ''): void {
    this.write(lastWords);
    this.#controller?.close();
    this.close();
  }

  /** Called when the client has disconnected: frees everything at once. */
  close(): void {
    if (this.#controller === undefined) return;
    this.#controller = undefined;
    this.#streams.delete(this);
    this.#owner.streamClosed();
  }

  #drained(): void {
    if (!this.#isFull) return;
    this.#isFull = false;
    this.#owner.streamDrained();
  }
}
