// A well-behaved principal during the attacks of another one: clients of both eras, and a reader of the event stream.
import { type TestClient, connectHttp, told } from '@tidings/live/testing';
import { expect } from 'vitest';
import type { NotesUpstream } from '../../hub/notes-upstream.ts';
import { ask, initialize, openGet, type RawStream } from '../../support/wire/raw-http.ts';
import { SseClient } from '../../support/wire/sse-client.ts';
import type { Attacked } from '../support/attacked.ts';
import type { Victim } from './misbehaviour.ts';

const names = Array.from({ length: 20 }, (_, n) => `of-bystander-${n}`);
const uris = names.map((name) => `note://${name}`);

/** Adds the notes that the bystander watches. */
export function prepare(notes: NotesUpstream): void {
  for (const name of ['watched', ...names]) notes.put(name, 'first');
}

export class Bystander implements AsyncDisposable {
  readonly #hub: Attacked;
  readonly #notes: NotesUpstream;
  readonly #client: TestClient;
  readonly #session: Record<string, string>;
  readonly #stream: RawStream;
  readonly #events: SseClient;
  #checks = 0;

  private constructor(
    hub: Attacked,
    notes: NotesUpstream,
    {
      client,
      session,
      stream,
      events,
    }: { client: TestClient; session: Record<string, string>; stream: RawStream; events: SseClient },
  ) {
    this.#hub = hub;
    this.#notes = notes;
    this.#client = client;
    this.#session = session;
    this.#stream = stream;
    this.#events = events;
  }

  static async start(hub: Attacked, notes: NotesUpstream, token: string): Promise<Bystander> {
    const headers = { authorization: `Bearer ${token}` };
    const client = await connectHttp(`${hub.url}/mcp`, 'modern', headers);
    await client.subscribe(...uris);
    const session = await initialize(`${hub.url}/mcp`, headers);
    for (const uri of uris) await ask(`${hub.url}/mcp`, 'legacy', 'resources/subscribe', { uri }, session);
    const stream = await openGet(`${hub.url}/mcp`, session);
    const events = await SseClient.open(`${hub.url}/api/mcp/resource-events`, headers);
    return new Bystander(hub, notes, { client, session, stream, events });
  }

  get victim(): Victim {
    return {
      sessionId: this.#session['mcp-session-id'] ?? '',
      change: async (count) => {
        for (let n = 0; n < count; n += 1) {
          this.#notes.put('watched', `change ${n}`);
          await new Promise((resolve) => setImmediate(resolve));
        }
      },
    };
  }

  /** Checks that reads, updates and events work. */
  async isServed(): Promise<void> {
    await this.#hub.answers();
    this.#checks += 1;
    // Another note each time: a second update of one note within two seconds would be merged on the event stream.
    const name = names[this.#checks % names.length] ?? '';
    const uri = `note://${name}`;
    const before = {
      modern: times(this.#client.updates, uri),
      legacy: times(this.#stream.updates, uri),
      events: this.#events.timesTold(uri),
    };
    const text = `check ${this.#checks}`;
    this.#notes.put(name, text);
    await told(this.#client, uri, before.modern);
    await this.#stream.sees('an update', ({ updates }) => times(updates, uri) > before.legacy);
    await this.#events.told(uri, before.events);
    expect(await this.#client.read(uri)).toBe(text);
    const listed = await ask(`${this.#hub.url}/mcp`, 'legacy', 'resources/list', {}, this.#session);
    expect(JSON.stringify(listed.message.result)).toContain(uri);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#events.close();
    this.#stream.destroy();
    await this.#client.close();
  }
}

function times(uris: readonly string[], uri: string): number {
  return uris.filter((each) => each === uri).length;
}
