// The requirements of every kind of session, as cases for any test runner. They need `sessionFixture()` as the server.
import assert from 'node:assert/strict';
import { eventually } from './eventually.ts';
import { type TestClient, told } from './test-client.ts';

/** The argument of a case. */
export interface SessionUnderTest {
  /** A connected client. The caller closes it, not the case. */
  client: TestClient;
}

/** One requirement of every session. */
export interface SessionCase {
  id: string;
  run(session: SessionUnderTest): Promise<void>;
}

/** The requirements of every session; the server on the other side is `sessionFixture()`. */
export const sessionCases: readonly SessionCase[] = [
  {
    id: 'told-of-change',
    run: async ({ client }) => {
      await client.subscribe('note://first');
      for (const text of ['one', 'two', 'three']) {
        const before = client.updates.length;
        await client.call('put', { name: 'first', text });
        await told(client, 'note://first', before);
      }
    },
  },
  {
    id: 'read-after-notify',
    run: async ({ client }) => {
      await client.subscribe('quick://first');
      for (let n = 1; n <= 20; n += 1) {
        const before = client.updates.length;
        const [, text] = await Promise.all([
          client.call('put', { name: 'first', text: `version ${n}` }),
          told(client, 'quick://first', before).then(() => client.read('quick://first')),
        ]);
        assert.equal(text, `version ${n}`);
      }
    },
  },
  {
    id: 'leading-and-trailing',
    run: async ({ client }) => {
      await client.subscribe('slow://first');
      await client.call('put', { name: 'first', text: 'one' });
      await told(client, 'slow://first');
      assert.equal(await client.read('slow://first'), 'one');
      // Both fall into the window that the first one opened, and lead to one notification at its end.
      await client.call('put', { name: 'first', text: 'two' });
      await client.call('put', { name: 'first', text: 'three' });
      await told(client, 'slow://first', 1);
      assert.equal(await client.read('slow://first'), 'three');
    },
  },
  {
    id: 'bursts-merge',
    run: async ({ client }) => {
      await client.subscribe('note://counter', 'quick://fence');
      const elapsed = await client.call('count', { name: 'counter', count: 1000 });
      await client.call('put', { name: 'fence', text: 'up' });
      await told(client, 'quick://fence');
      const updates = client.updates.filter((uri) => uri === 'note://counter').length;
      const windows = Math.ceil(Number(elapsed) / 50) + 1;
      assert.ok(updates > 0 && updates <= windows + 1, `${updates} updates in ${windows} windows`);
    },
  },
  {
    id: 'own-spelling',
    run: async ({ client }) => {
      const notes = ['note://caf%C3%A9%20noir', 'NOTE://caf%c3%a9%20noir', 'note://café noir'];
      const pages = ['page://caf%C3%A9%20noir.json?part=1', 'PAGE://café noir.js%6Fn?&%70art=1'];
      const spellings = [...notes, ...pages];
      const { honored } = await client.subscribe(...spellings);
      assert.deepEqual([...honored].sort(), [...spellings].sort());
      await client.call('put', { name: 'café noir', text: 'open' });
      for (const spelling of spellings) await told(client, spelling);
      assert.deepEqual([...client.updates].sort(), [...spellings].sort());
    },
  },
  {
    id: 'exact-reach',
    run: async ({ client }) => {
      await client.subscribe('quick://mine', 'quick://fence');
      await client.call('put', { name: 'other', text: 'not for this client' });
      await client.call('put', { name: 'fence', text: 'up' });
      await told(client, 'quick://fence');
      assert.deepEqual(client.updates, ['quick://fence']);
    },
  },
  {
    id: 'unsubscribe-at-once',
    run: async ({ client }) => {
      await client.subscribe('quick://fence');
      const subscription = await client.subscribe('quick://first');
      await client.call('put', { name: 'first', text: 'before' });
      await told(client, 'quick://first');
      await subscription.end();
      await client.call('put', { name: 'first', text: 'after' });
      await client.call('put', { name: 'fence', text: 'up' });
      await told(client, 'quick://fence');
      assert.deepEqual(client.updates, ['quick://first', 'quick://fence']);
    },
  },
  {
    id: 'topics-reach-every-uri',
    run: async ({ client }) => {
      const uris = ['board://notes', 'board://notes/5', 'board://notes/100'];
      await client.subscribe(...uris);
      await client.call('put', { name: 'first', text: 'changed' });
      for (const uri of uris) await told(client, uri);
      assert.equal(client.updates.length, uris.length);
    },
  },
  {
    id: 'subscribe-before-it-exists',
    run: async ({ client }) => {
      const { honored } = await client.subscribe('note://later');
      assert.deepEqual(honored, ['note://later']);
      await assert.rejects(client.read('note://later'));
      await client.call('put', { name: 'later', text: 'here' });
      await told(client, 'note://later');
      assert.equal(await client.read('note://later'), 'here');
    },
  },
  {
    id: 'unroutable-refused',
    run: async ({ client }) => {
      const { honored } = await client.subscribe(
        'note://first',
        'note://a/b/c',
        'unknown://x',
        'note://%zz',
        'no scheme',
      );
      assert.deepEqual(honored, ['note://first']);
    },
  },
  {
    id: 'list-changed',
    run: async ({ client }) => {
      await client.subscribe('note://first');
      await client.call('put', { name: 'new', text: 'appears' });
      await eventually('a list change', () => client.listChanges.includes('notifications/resources/list_changed'));
      assert.ok((await client.listAll()).includes('note://new'));
    },
  },
  {
    id: 'cost-follows-interest',
    run: async ({ client }) => {
      const strangers = Array.from({ length: 50 }, (_, n) => `quick://stranger-${n}`);
      await client.subscribe(...strangers);
      await client.subscribe('quick://first');
      const before = await statsOf(client);
      await client.call('put', { name: 'first', text: 'changed' });
      await told(client, 'quick://first');
      const after = await statsOf(client);
      assert.equal(after.dirty - before.dirty, 1);
      assert.equal(after.frames - before.frames, 1);
    },
  },
  {
    id: 'honest-capabilities',
    run: async ({ client }) => {
      assert.equal(client.capabilities?.resources?.subscribe, true);
      await client.subscribe('quick://first');
      await client.call('put', { name: 'first', text: 'delivered' });
      await told(client, 'quick://first');
    },
  },
  {
    id: 'logs-as-asked',
    run: async ({ client }) => {
      const logged = () => client.logs.map(({ level, data }) => `${level}: ${String(data)}`);
      // 2025-era clients get messages even if they set no level.
      await client.call('log', { text: 'unasked' });
      const unasked = client.era === 'legacy' ? ['info: unasked', 'warning: unasked', 'error: unasked'] : [];
      await client.setLogLevel('warning');
      await client.call('log', { text: 'called' });
      await client.read('log://read');
      const asked = ['warning: called', 'error: called', 'warning: read', 'error: read'];
      await eventually('the messages', () => client.logs.length >= unasked.length + asked.length);
      assert.deepEqual(logged(), [...unasked, ...asked]);
      assert.equal(client.logs.at(-1)?.logger, 'fixture');
    },
  },
  {
    id: 'surprise-not-leaked',
    run: async ({ client }) => {
      await assert.rejects(client.read('fault://surprise'), (error) => {
        assert.ok(error instanceof Error);
        assert.doesNotMatch(error.message, /secret/);
        return true;
      });
    },
  },
];

async function statsOf(client: TestClient): Promise<{ dirty: number; frames: number }> {
  return JSON.parse(await client.call('stats'));
}
