// One real hub in front of a good server and of servers that misbehave: whatever they do, the hub answers, the
// clients of the good server are served and told, and when the others are gone so is the memory they took.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type TestClient, connectHttp, eventually } from '@tidings/live/testing';
import type { ServerEntry } from '@tidings/track';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NotesUpstream } from '../../hub/notes-upstream.ts';
import { SseClient } from '../../support/sse-client.ts';
import { AttackedHub } from '../support/attacked-hub.ts';
import { type Misbehaviour, groups } from './misbehaviours.ts';

const program = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const megabyte = 1024 * 1024;
const secret = 'Bearer hub-secret-0123456789';

let servers: ChildProcess;
let port = 0;

beforeAll(async () => {
  servers = spawn(process.execPath, [program('http-server.js')], { stdio: ['pipe', 'pipe', 'inherit'] });
  if (servers.stdout === null) throw new Error('It has no stdout.');
  const [line]: unknown[] = await once(servers.stdout.setEncoding('utf8'), 'data');
  port = Number(/"port":(\d+)/.exec(String(line))?.[1]);
});

afterAll(() => void servers.kill());

const idOf = ({ name, over }: Misbehaviour) => `${over}-${name}`.replaceAll(/[^a-z0-9]+/g, '-').slice(0, 32);

function entryOf(misbehaviour: Misbehaviour): ServerEntry {
  const { name, over } = misbehaviour;
  const common = { id: idOf(misbehaviour), enabled: true, trackResources: true };
  if (over === 'stdio') {
    return {
      ...common,
      command: process.execPath,
      args: [program('stdio-server.js'), name, idOf(misbehaviour)],
      env: {},
    };
  }
  return { ...common, url: `http://127.0.0.1:${port}/${name}`, headers: { Authorization: secret } };
}

/** A client of the gateway that watches a note of the good server, and the event stream. */
class Bystander implements AsyncDisposable {
  readonly #notes: NotesUpstream;
  readonly #hub: AttackedHub;
  readonly #client: TestClient;
  readonly #events: SseClient;
  #changes = 0;

  private constructor(notes: NotesUpstream, hub: AttackedHub, client: TestClient, events: SseClient) {
    this.#notes = notes;
    this.#hub = hub;
    this.#client = client;
    this.#events = events;
  }

  static async start(notes: NotesUpstream, hub: AttackedHub): Promise<Bystander> {
    const client = await connectHttp(`${hub.url}/mcp`, 'legacy');
    await client.subscribe('note://watched');
    const events = await SseClient.open(`${hub.url}/api/mcp/resource-events?server=good`);
    return new Bystander(notes, hub, client, events);
  }

  /** Everything others rely on works. */
  async isServed(): Promise<void> {
    expect(await this.#hub.healthMs(), '/healthz').toBeLessThanOrEqual(200);
    this.#changes += 1;
    const [told, announced] = [this.#client.updates.length, this.#events.updates.length];
    this.#notes.put('watched', `change ${this.#changes}`);
    await eventually('the client to be told', () => this.#client.updates.length > told);
    await eventually('the event stream to tell', () => this.#events.updates.length > announced);
    expect(await this.#client.read('note://watched')).toBe(`change ${this.#changes}`);
    expect(await this.#client.listAll()).toContain('note://watched');
    // Every template is tried for what is not listed.
    await this.#client.read(`nowhere://${'a'.repeat(60)}`).catch(() => undefined);
    for (const rest of ['a'.repeat(60), '/x'.repeat(4000)]) {
      await this.#client.read(`stdio-hostile-template://${rest}`).catch(() => undefined);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#events.close();
    await this.#client.close();
  }
}

describe.each(Object.entries(groups))('%s', (_, misbehaviours) => {
  it('do not stop the hub, nor its other servers', { timeout: 120_000 }, async () => {
    await using notes = await NotesUpstream.start('modern');
    notes.put('watched', 'first');
    const good = notes.entry('good');
    const hub = await AttackedHub.start({ servers: [good] });
    await eventually('the good server', async () => (await hub.servers())[0]?.state === 'live');
    await using bystander = await Bystander.start(notes, hub);
    await bystander.isServed();
    const before = await hub.memory();

    await hub.configure({ servers: [good, ...misbehaviours.map(entryOf)] });
    for (const misbehaviour of misbehaviours) {
      const { state = /./, detail = /^/ } = misbehaviour.shown ?? {};
      await eventually(
        `${misbehaviour.name} over ${misbehaviour.over} to be shown as it is`,
        async () => {
          const shown = (await hub.servers()).find(({ id }) => id === idOf(misbehaviour));
          return shown !== undefined && state.test(shown.state) && detail.test(shown.detail ?? '');
        },
        45_000,
      );
    }
    await bystander.isServed();
    await bystander.isServed();

    await hub.configure({ servers: [good] });
    await bystander.isServed();
    await eventually(
      'the memory to be free again',
      async () => {
        const now = await hub.memory();
        return now.heapUsed + now.external - before.heapUsed - before.external < 50 * megabyte;
      },
      20_000,
    );
    const { peakRss } = await hub.memory();
    // Eight servers may each send four messages of 16 MB at once.
    expect(peakRss - before.rss, 'the most memory that was in use').toBeLessThan(700 * megabyte);
    await hub.stop();
    // What servers wrote may be read in a terminal.
    expect(hub.process.stderr.includes('\u001b'), 'an escape in the log').toBe(false);
  });
});

it('credentials of the hub do not follow a redirect', async () => {
  const heard: unknown = await (await fetch(`http://127.0.0.1:${port}/thief/heard`)).json();
  expect(heard).toEqual([]);
});
