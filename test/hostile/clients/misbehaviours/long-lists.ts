// Long lists, and long addresses.
import { expect } from 'vitest';
import { type Misbehaviour, some } from '../misbehaviour.ts';

export const longLists: readonly Misbehaviour[] = [
  {
    name: 'a hundred concurrent requests for long lists',
    attack: async (attacker) => {
      await attacker.many(100, () => attacker.modern('resources/list'), 100);
      await attacker.many(50, () => attacker.get('/api/resources?q=none'), 50);
      await attacker.many(50, () => attacker.get('/api/servers'), 50);
    },
  },
  {
    name: 'URIs of the maximum length',
    attack: async (attacker) => {
      const uris = Array.from({ length: 400 }, (_, n) => `page://${n}${'%20/a'.repeat(1600)}`);
      const wait = { name: 'wait_for_change', arguments: { uris, timeout_seconds: 1 } };
      await attacker.modern('tools/call', wait);
      await attacker.many(some(100), (n) => attacker.modern('resources/read', { uri: uris[n] }));
      const stream = await attacker.listen(uris);
      await stream.sees('an answer', ({ messages, ended }) => messages.length > 0 || ended);
    },
  },
  {
    name: 'many URIs that look like passwords and tokens',
    attack: async (attacker) => {
      for (const part of [':', '%3F', '%26token']) {
        const path = `/resources/x:%2F%2F${part.repeat(15_000 / part.length)}`;
        expect((await attacker.get(path)).status).toBeLessThan(500);
      }
      for (const part of [':', '?', '&token']) {
        await attacker.modern('resources/read', { uri: `x://${part.repeat(300_000 / part.length)}` });
      }
    },
  },
];
