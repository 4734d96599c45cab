// Subscriptions and sessions in large numbers.
import { expect } from 'vitest';
import { isWhole } from '../../../support/run/proof-size.ts';
import { rpcRequest } from '../../../support/wire/raw-http.ts';
import { type Misbehaviour, notes, some } from '../misbehaviour.ts';

export const manySubscriptions: readonly Misbehaviour[] = [
  {
    name: 'listen requests for ten thousand URIs, then cancelled',
    attack: async (attacker) => {
      const stream = await attacker.listen(notes(10_000));
      await stream.sees('an answer', ({ messages, ended }) => messages.length > 0 || ended);
      stream.destroy();
    },
  },
  {
    name: 'one URI a hundred thousand times in one request',
    attack: async (attacker) => {
      const stream = await attacker.listen(Array.from({ length: 100_000 }, (_, n) => `note://twice-${n % 3}`));
      await stream.sees('an answer', ({ messages, ended }) => messages.length > 0 || ended);
    },
  },
  {
    name: 'listen requests that are cancelled at once',
    attack: (attacker) =>
      attacker.many(some(20), async () => {
        const listening = attacker.listen(notes(2000));
        const stream = await listening;
        stream.destroy();
      }),
  },
  {
    name: 'thousands of listen requests',
    attack: (attacker) => attacker.many(some(1000), (n) => attacker.listen([`note://of-attacker-${n}`])),
  },
  {
    name: 'storms of subscribe and unsubscribe',
    attack: async (attacker) => {
      const session = await attacker.session();
      await attacker.many(some(1000), (n) => {
        const method = n % 2 === 0 ? 'resources/subscribe' : 'resources/unsubscribe';
        return attacker.legacy(session, method, { uri: `note://storm-${n % 50}` });
      });
    },
  },
  {
    name: 'hundreds of calls that wait for thousands of URIs',
    attack: async (attacker) => {
      const wait = (uris: string[]) =>
        attacker.modern('tools/call', { name: 'wait_for_change', arguments: { uris, timeout_seconds: 2 } });
      const answer = await wait(notes(30_000));
      expect(JSON.stringify(answer.message)).toContain('LIMIT_EXCEEDED');
      await attacker.many(some(300), (n) => wait(notes(200).map((uri) => `${uri}-${n % 10}`)), 300);
    },
  },
  {
    name: 'long URIs on one listen stream after another',
    attack: (attacker) =>
      attacker.many(12, async (n) => {
        const uris = Array.from({ length: 400 }, (_, each) => `note://${n}-${each}${'x'.repeat(7900)}`);
        await attacker.listen(uris);
      }),
  },
  {
    name: 'calls that wait for a day, left at once',
    attack: async (attacker) => {
      const session = await attacker.session();
      const uris = Array.from({ length: 80 }, (_, n) => `note://${n}${'x'.repeat(400)}**`);
      const params = { name: 'wait_for_change', arguments: { uris, timeout_seconds: 80_000 } };
      await attacker.many(1500, async (n) => {
        const { headers, body } = rpcRequest('legacy', 'tools/call', params, n);
        await attacker.postAndLeave({ ...headers, ...session }, JSON.stringify(body));
      });
    },
  },
  {
    // The last one: its sessions are kept for a while, and use up this client's quota of 500.
    name: 'thousands of sessions',
    attack: (attacker) => attacker.many(isWhole ? 1000 : 600, () => attacker.session()),
  },
];
