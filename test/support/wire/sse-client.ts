// Reads an event stream as a browser would, and records every frame.
import { type ClientRequest, type IncomingMessage, get } from 'node:http';
import { eventually } from '@tidings/live/testing';
import type { TrackerEvent } from '@tidings/client/contract';

export interface Frame {
  id: string | undefined;
  data: TrackerEvent | { type: 'handshake'; status: string; cursor: string; timestamp: string };
  /** The time of its arrival. */
  at: number;
}

type EventOf<T extends TrackerEvent['type']> = Extract<TrackerEvent, { type: T }>;

export class SseClient {
  readonly frames: Frame[] = [];
  readonly comments: string[] = [];
  retry: string | undefined;
  readonly #request: ClientRequest;
  #response: IncomingMessage | undefined;
  #rest = '';
  isClosed = false;

  private constructor(url: string, headers: Record<string, string>) {
    this.#request = get(url, { headers, agent: false });
    this.#request.on('error', () => undefined);
    this.#request.on('close', () => {
      this.isClosed = true;
    });
  }

  /** Resolves when the handshake has arrived. */
  static async open(url: string, headers: Record<string, string> = {}): Promise<SseClient> {
    const client = new SseClient(url, headers);
    client.#request.on('response', (response) => {
      client.#response = response;
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => client.#read(chunk));
      response.on('error', () => undefined);
    });
    await eventually('a handshake', () => client.frames[0]?.data.type === 'handshake');
    return client;
  }

  get handshake() {
    const data = this.frames[0]?.data;
    if (data?.type !== 'handshake') throw new Error('There was no handshake.');
    return data;
  }

  /** All events of one kind, in order. */
  all<T extends TrackerEvent['type']>(type: T): EventOf<T>[] {
    const isWanted = (data: Frame['data']): data is EventOf<T> => data.type === type;
    return this.frames.map(({ data }) => data).filter(isWanted);
  }

  /** URIs of the updates, in order. */
  get updates(): string[] {
    return this.all('resource_update').map(({ resourceUri }) => resourceUri);
  }

  timesTold(uri: string): number {
    return this.updates.filter((each) => each === uri).length;
  }

  async told(uri: string, before = 0): Promise<void> {
    await eventually(`an update of ${uri}`, () => this.timesTold(uri) > before);
  }

  get lastId(): string | undefined {
    return this.frames.findLast(({ id }) => id !== undefined)?.id;
  }

  pause(): void {
    this.#response?.pause();
  }

  resume(): void {
    this.#response?.resume();
  }

  close(): void {
    this.#request.destroy();
  }

  #read(chunk: string): void {
    const blocks = (this.#rest + chunk).split('\n\n');
    this.#rest = blocks.pop() ?? '';
    for (const block of blocks) this.#take(block);
  }

  #take(block: string): void {
    const fields = new Map<string, string>();
    for (const line of block.split('\n')) {
      const colon = line.indexOf(':');
      if (colon === 0) this.comments.push(line.slice(1).trim());
      else fields.set(line.slice(0, colon), line.slice(colon + 1).trim());
    }
    this.retry ??= fields.get('retry');
    const data = fields.get('data');
    if (data !== undefined) this.frames.push({ id: fields.get('id'), data: JSON.parse(data), at: performance.now() });
  }
}
