// The cases for an audit log in any place. `place` is a fresh data folder or database.
import { strict as assert } from 'node:assert';
import { FakeClock } from '@tidings/live/testing';
import type { AuditEntry, AuditQuery } from '../../packages/hub/src/audit/audit-log.ts';
import { openAuditLog, openAuditTrail } from '../../packages/hub/src/audit/open-audit.ts';

export interface AuditCase {
  name: string;
  run(this: void, place: string): Promise<void>;
}

const log = { warn: () => undefined, error: () => undefined };
const start = Date.parse('2026-11-16T08:00:00Z');
const entry = (who: string, uri: string): AuditEntry => ({ who, method: 'resources/read', uri, outcome: 'ok', ms: 1 });

function opened(place: string, settings: Parameters<typeof openAuditLog>[0]['settings'] = () => undefined) {
  const clock = new FakeClock(start);
  return openAuditLog({ place, settings, clock, log }).then((audit) => ({ audit, clock }));
}

async function read(place: string, query: Partial<AuditQuery> = {}): Promise<(string | undefined)[]> {
  const trail = await openAuditTrail({ place, clock: new FakeClock(start), log });
  const records = await trail.read({ limit: 1000, ...query });
  await trail.close();
  return records.map(({ uri }) => uri);
}

export const auditCases: readonly AuditCase[] = [
  {
    name: 'keeps every field of a record',
    run: async (place) => {
      const { audit } = await opened(place);
      const whole: AuditEntry = {
        who: 'READER',
        address: '192.0.2.7',
        client: 'host/1.0',
        method: 'tools/call',
        server: 'notes',
        name: 'put_note',
        uri: 'note://\u0000"\\日本',
        uris: ['a', 'b'],
        outcome: 'refused',
        code: 'PERMISSION_DENIED',
        ms: 1.25,
        count: 2,
        detail: 'x',
        arguments: { a: [1, null] },
      };
      audit.record(whole);
      await audit.close();
      const trail = await openAuditTrail({ place, clock: new FakeClock(start), log });
      const [record] = await trail.read({ limit: 10 });
      await trail.close();
      assert.deepEqual(record, { time: '2026-11-16T08:00:00.000Z', ...whole });
    },
  },
  {
    name: 'can be read by time, principal and URI, in order, the newest if there are too many',
    run: async (place) => {
      const { audit, clock } = await opened(place);
      for (const [who, uri] of [
        ['a', 'note://1'],
        ['b', 'note://2'],
        ['a', 'other://3'],
      ] as const) {
        audit.record(entry(who, uri));
        clock.advance(60_000);
      }
      audit.record({ who: 'a', method: 'subscriptions/listen', uris: ['note://2', 'note://9'], outcome: 'ok' });
      await audit.flush();
      assert.deepEqual(await read(place), ['note://1', 'note://2', 'other://3', undefined]);
      assert.deepEqual(await read(place, { limit: 2 }), ['other://3', undefined]);
      assert.deepEqual(await read(place, { who: 'b' }), ['note://2']);
      assert.deepEqual(await read(place, { uri: 'note://2' }), ['note://2', undefined]);
      assert.deepEqual(await read(place, { uri: 'other**' }), ['other://3']);
      assert.deepEqual(await read(place, { since: new Date(start + 90_000) }), ['other://3', undefined]);
      assert.deepEqual(await read(place, { who: 'nobody' }), []);
      await audit.close();
    },
  },
  {
    name: 'is read by an owner of access tokens, whichever grants they had',
    run: async (place) => {
      const { audit } = await opened(place);
      const ada = 'https://id.example.com#ada';
      const owners = [
        ada,
        `${ada} (grants.0)`,
        `${ada} (grants.12)`,
        `${ada}m (grants.0)`,
        'https://id.example.com#eve',
      ];
      for (const [index, who] of owners.entries()) audit.record(entry(who, `note://${index}`));
      await audit.flush();
      assert.deepEqual(await read(place, { who: ada }), ['note://0', 'note://1', 'note://2']);
      assert.deepEqual(await read(place, { who: `${ada} (grants.12)` }), ['note://2']);
      assert.deepEqual(await read(place, { who: `${ada}%` }), []);
      await audit.close();
    },
  },
  {
    name: 'can be written by several writers at once, and one after another',
    run: async (place) => {
      const [one, two] = await Promise.all([opened(place), opened(place)]);
      for (let index = 0; index < 50; index += 1) {
        one.audit.record(entry('one', `note://${index}`));
        two.audit.record(entry('two', `note://${index}`));
        await Promise.all([one.audit.flush(), two.audit.flush()]);
      }
      await Promise.all([one.audit.close(), two.audit.close()]);
      const three = await opened(place);
      three.audit.record(entry('three', 'note://last'));
      await three.audit.close();
      assert.equal((await read(place)).length, 101);
      assert.equal((await read(place, { who: 'two' })).length, 50);
    },
  },
  {
    name: 'records nothing if it is switched off',
    run: async (place) => {
      let isOff = true;
      const { audit } = await opened(place, () => (isOff ? false : undefined));
      audit.record(entry('a', 'note://1'));
      isOff = false;
      audit.record(entry('a', 'note://2'));
      await audit.close();
      assert.deepEqual(await read(place), ['note://2']);
    },
  },
  {
    name: 'removes the oldest records',
    run: async (place) => {
      const settings = { arguments: false, megabytes: 0.1, files: 3, rows: 1000 };
      const { audit, clock } = await opened(place, () => settings);
      for (let batch = 0; batch < 110; batch += 1) {
        for (let index = 0; index < 50; index += 1) audit.record(entry('a', `note://${batch * 50 + index}`));
        await audit.flush();
        clock.advance(1000);
      }
      await audit.close();
      const uris = await read(place, { limit: 100_000 });
      assert.equal(uris.at(-1), 'note://5499');
      assert.ok(uris.length < 4000, `${uris.length} are kept`);
      assert.ok(uris.length >= 500, `${uris.length} are kept`);
    },
  },
];
