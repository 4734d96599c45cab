import { mkdtempSync, rmSync } from 'node:fs';
import { type Server, createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FakeClock, eventually } from '@tidings/live/testing';
import { openStore } from '@tidings/store';
import type { KyselyPlugin } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ScheduleBackend } from '../backend.ts';
import { Destinations } from '../destination/destinations.ts';
import { ntfyDestination } from '../destination/ntfy-destination.ts';
import { embeddedBackend, openEmbeddedBackend } from './embedded-backend.ts';
import { newId } from './entry-id.ts';
import { type ScheduleStore, type ScheduleTables, migrations } from './tables.ts';

const nowhere = Destinations.only({ kind: 'test', words: 'nowhere', send: () => Promise.resolve() });
const topicCount = 100;
const perTopic = 100;

describe('the embedded backend', () => {
  let folder: string;
  let clock: FakeClock;
  let backend: ScheduleBackend | undefined;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tidings-schedules-'));
    clock = new FakeClock();
    clock.advance(Date.UTC(2026, 5, 1));
  });

  afterEach(async () => {
    await backend?.close();
    backend = undefined;
    rmSync(folder, { recursive: true, force: true });
  });

  it('returns schedules and one-offs as they were created', async () => {
    backend = await openEmbeddedBackend({
      place: folder,
      destinations: nowhere,
      clock,
    });
    const request = { topic: 'a', message: 'Hello', cron: '0 9 * * *', timezone: 'Europe/Oslo', label: 'daily' };
    const schedule = await backend.addCron(request, 'test');
    const later = await backend.addOneOff({ topic: 'a', message: 'Later', due: Date.UTC(2026, 5, 3) }, 'test');
    const sooner = await backend.addOneOff({ topic: 'a', message: 'Sooner', due: Date.UTC(2026, 5, 2) }, 'test');
    await backend.addOneOff({ topic: 'b', message: 'Elsewhere', due: Date.UTC(2026, 5, 2) }, 'test');
    expect(schedule).toEqual({
      schedule_id: expect.stringMatching(/^cron_[\w-]{16}$/),
      cron_expression: '0 9 * * *',
      timezone: 'Europe/Oslo',
      status: 'active',
      label: 'daily',
      notification_body: 'Hello',
      next_occurrence: '2026-06-01T07:00:00.000Z',
      last_occurrence: null,
    });
    expect(sooner).toEqual({
      notification_id: expect.stringMatching(/^once_[\w-]{16}$/),
      notification_body: 'Sooner',
      due: '2026-06-02T00:00:00.000Z',
      status: 'pending',
    });
    const content = { topic: 'a', schedules: [schedule], pending: [sooner, later] };
    expect(await backend.read('a')).toEqual(content);
    expect(await backend.list('a')).toEqual([content]);
    expect(await backend.topics()).toEqual(['a', 'b']);
    expect((await backend.list()).map(({ topic, pending }) => [topic, pending.length])).toEqual([
      ['a', 2],
      ['b', 1],
    ]);
    expect(await backend.read('unused')).toEqual({ topic: 'unused', schedules: [], pending: [] });
  });

  describe('with 10,000 schedules', () => {
    let queries: string[];
    let store: ScheduleStore;

    beforeEach(async () => {
      queries = [];
      const opened = await openStore<ScheduleTables>(folder, { name: 'schedules', migrations });
      await fill(opened);
      store = countingQueries(opened, queries);
      backend = embeddedBackend(store, { destinations: nowhere, clock });
      await eventually('the scheduler to sleep', () => clock.waiting > 0);
      queries.length = 0;
    });

    it('reads a topic with one query', async () => {
      expect((await backend?.read('topic-7'))?.schedules).toHaveLength(perTopic);
      expect(queries).toEqual(['read']);
    });

    it('lists topics with one query', async () => {
      expect(await backend?.topics()).toHaveLength(topicCount);
      expect(queries).toEqual(['read']);
    });

    it('finds topics, due entries and unfinished deliveries by index', async () => {
      const plans = [
        `select * from entry where topic = 'a' order by created, id`,
        'select * from entry where next <= 1 order by next limit 10',
        'select min(next) from entry where next is not null',
        'select min(due) from delivery',
        'select max(set_at) from entry',
        'select max(set_at) from delivery',
        `select * from history where topic = 'a' order by seq desc`,
        `select * from dead_letter where topic = 'a' order by at desc, id desc`,
        `select * from dead_letter where entry_id = 'a'`,
        `select max(last) from entry where cron is null and last_status = 'missed'`,
        'select * from delivery inner join entry on entry.id = delivery.entry_id where delivery.due <= 1 order by delivery.due limit 10',
      ];
      for (const plan of plans) expect(await planOf(store, plan)).not.toMatch(/^SCAN (?!.*USING)|TEMP B-TREE/m);
    });

    it('does nothing while no entry is due', async () => {
      clock.advance(364 * 86_400_000);
      await new Promise((resolve) => setImmediate(resolve));
      expect(queries).toEqual([]);
      expect(clock.waiting).toBe(1);
    });
  });

  it('creates unique names', () => {
    expect(new Set(Array.from({ length: 1000 }, () => newId('cron'))).size).toBe(1000);
  });

  it('delivers in real time, to a real receiver', async () => {
    const received: { at: number; body: unknown }[] = [];
    const receiver = createServer((request, response) => {
      request.setEncoding('utf8');
      request.once('data', (body: string) => received.push({ at: Date.now(), body: JSON.parse(body) }));
      request.once('end', () => response.end('{}'));
    });
    await new Promise<void>((resolve) => void receiver.listen(0, '127.0.0.1', resolve));
    try {
      const url = addressOf(receiver);
      backend = await openEmbeddedBackend({
        place: folder,
        destinations: Destinations.only(ntfyDestination({ url })),
      });
      const due = Date.now() + 1000;
      await backend.addOneOff({ topic: 'real', message: 'Now', due }, 'test');
      await eventually('the notification', () => received.length > 0);
      expect(received[0]?.body).toEqual({ topic: 'real', message: 'Now' });
      expect(received[0]?.at).toBeGreaterThanOrEqual(due);
      expect(backend.destinations.wordsFor('real')).toBe(`ntfy at ${url}`);
      const open = backend;
      await eventually('the topic to be gone', async () => (await open.topics()).length === 0);
    } finally {
      receiver.closeAllConnections();
      receiver.close();
    }
  });
});

/** Schedules that are all due at the next new year. */
async function fill(store: ScheduleStore): Promise<void> {
  await store.write(async ({ db }) => {
    for (let topic = 0; topic < topicCount; topic += 1) {
      const name = `topic-${topic}`;
      await db.insertInto('topic').values({ name, entries: perTopic }).execute();
      for (let n = 0; n < perTopic; n += 1) {
        const body = `Notification ${n} of ${name}`;
        await db
          .insertInto('entry')
          .values({
            id: newId('cron'),
            topic: name,
            body,
            cron: '0 0 1 6 *',
            timezone: 'UTC',
            label: null,
            created: n,
            paused: 0,
            next: Date.UTC(2027, 5, 1),
            last: Date.UTC(2026, 5, 1),
            last_status: 'delivered',
            last_at: Date.UTC(2026, 5, 1) + 1,
            last_reason: null,
            last_again: 0,
            set_at: Date.UTC(2026, 5, 1),
            fired: null,
            destination: null,
            tries: null,
          })
          .execute();
      }
    }
  });
}

function countingQueries(store: ScheduleStore, queries: string[]): ScheduleStore {
  const counting: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      queries.push('read');
      return result;
    },
  };
  const write: ScheduleStore['write'] = (work) => {
    queries.push('write');
    return store.write(work);
  };
  const { engine, feed } = store;
  return { engine, feed, db: store.db.withPlugin(counting), write, close: () => store.close() };
}

async function planOf(store: ScheduleStore, query: string): Promise<string> {
  const { rows } = await store.db.executeQuery<{ detail: string }>({
    sql: `explain query plan ${query}`,
    parameters: [],
    query: { kind: 'RawNode', sqlFragments: [], parameters: [] },
    queryId: { queryId: 'plan' },
  });
  return rows.map(({ detail }) => detail).join('\n');
}

function addressOf(server: Server): string {
  const address = server.address();
  if (typeof address !== 'object' || !address) throw new Error('The server is not listening.');
  return `http://127.0.0.1:${address.port}`;
}
