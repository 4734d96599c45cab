// The clients of a well-behaved server during misbehaviour of others: at the hub, a gateway client that watches a note;
// at a tracker alone, its reads; at both, the event stream.
import { type TestClient, connectHttp, eventually } from '@tidings/live/testing';
import { expect } from 'vitest';
import { z } from 'zod';
import type { NotesUpstream } from '../../hub/notes-upstream.ts';
import { SseClient } from '../../support/wire/sse-client.ts';
import type { Attacked } from '../support/attacked.ts';

const names = Array.from({ length: 10 }, (_, n) => `watched-${n}`);
const uris = names.map((name) => `note://${name}`);
const readSchema = z.object({ contents: z.array(z.object({ text: z.string() })) });

/** Adds the notes that the bystander watches. */
export function prepare(notes: NotesUpstream): void {
  for (const name of names) notes.put(name, 'first');
}

export class Bystander implements AsyncDisposable {
  readonly #notes: NotesUpstream;
  readonly #attacked: Attacked;
  /** Only at the hub. */
  readonly #client: TestClient | undefined;
  readonly #events: SseClient;
  #changes = 0;

  private constructor(notes: NotesUpstream, attacked: Attacked, client: TestClient | undefined, events: SseClient) {
    this.#notes = notes;
    this.#attacked = attacked;
    this.#client = client;
    this.#events = events;
  }

  static async start(notes: NotesUpstream, attacked: Attacked): Promise<Bystander> {
    const client = attacked.kind === 'hub' ? await connectHttp(`${attacked.url}/mcp`, 'legacy') : undefined;
    await client?.subscribe(...uris);
    const events = await SseClient.open(`${attacked.url}/api/mcp/resource-events?server=good`);
    return new Bystander(notes, attacked, client, events);
  }

  /** Checks that reads, updates and events work. */
  async isServed(): Promise<void> {
    await this.#attacked.answers();
    this.#changes += 1;
    const text = `change ${this.#changes}`;
    // Another note each time: a second update of one note within two seconds would be merged on the event stream.
    const name = names[this.#changes % names.length] ?? '';
    const uri = `note://${name}`;
    const [told, announced] = [this.#client?.updates.length ?? 0, this.#events.timesTold(uri)];
    this.#notes.put(name, text);
    await eventually('the event stream to tell', () => this.#events.timesTold(uri) > announced, 20_000);
    if (this.#client) await this.#gatewayServes(this.#client, told, { uri, text });
    else expect(await this.#read(uri)).toBe(text);
  }

  async #gatewayServes(client: TestClient, told: number, { uri, text }: { uri: string; text: string }): Promise<void> {
    await eventually('the client to be told', () => client.updates.slice(told).includes(uri), 20_000);
    expect(await client.read(uri)).toBe(text);
    expect(await client.listAll()).toContain(uri);
    // All templates are matched against an unlisted URI.
    await client.read(`nowhere://${'a'.repeat(60)}`).catch(() => undefined);
    for (const rest of ['a'.repeat(60), '/x'.repeat(4000)]) {
      await client.read(`stdio-hostile-template://${rest}`).catch(() => undefined);
    }
  }

  async #read(uri: string): Promise<string | undefined> {
    const answer = await this.#attacked.json(`/read?server=good&uri=${encodeURIComponent(uri)}`);
    return readSchema.parse(answer).contents[0]?.text;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#events.close();
    await this.#client?.close();
  }
}
