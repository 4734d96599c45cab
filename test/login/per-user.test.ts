// A server with `"login": "per-user"`: two users and the operator, each with an account of its own, never meet.
import { type Era, eventually } from '@tidings/live/testing';
import { expect, describe, it } from 'vitest';
import { type Person, hubWithUsers } from './hub-with-users.ts';

const people: readonly Person[] = ['operator', 'ada', 'bob'];
/** Each of the nine inboxes is read, and each watched one changes. */
const rounds = 9;
const watched = [0, 1, 2];

describe.each<Era>(['modern', 'legacy'])('a server with logins per user, with %s clients', (era) => {
  it('answers everyone with the own account, in many interleaved requests', async () => {
    const { accounts, logIn, connect, ask } = await hubWithUsers({ era });
    await logIn('ada');
    await logIn('bob');
    const clients = await Promise.all(people.map(async (person) => ({ person, client: await connect(person) })));
    const singles = await Promise.all(
      people.map(async (person) => ({ person, client: await connect(person, '/mcp/accounts') })),
    );
    for (const { person, client } of [...clients, ...singles]) {
      const listed = await client.listAll();
      expect(listed).toContain('account://me');
      expect(listed.filter((uri) => uri.startsWith('inbox:') && !uri.startsWith(`inbox://${person}/`))).toEqual([]);
      expect(listed.filter((uri) => uri.startsWith(`inbox://${person}/`))).toHaveLength(9);
    }
    for (const { person, client } of clients)
      await client.subscribe('account://me', ...watched.map((n) => `inbox://${person}/${n}`));

    let answered = 0;
    const about = async (person: Person, answer: Promise<string>) => {
      expect(await answer).toMatch(new RegExp(`^"?${person}\\b`));
      answered += 1;
    };
    const bridge = async (person: Person, uri: string) =>
      (await ask(person, `/resources/${encodeURIComponent(uri)}`)).text();
    await Promise.all(
      Array.from({ length: rounds }, async (_, round) => {
        for (const [index, { person, client }] of clients.entries()) {
          const single = singles[index]?.client;
          if (round % 4 === 0) accounts.change(person, round % watched.length);
          await Promise.all([
            about(person, client.read('account://me')),
            about(person, client.read(`inbox://${person}/${round % 9}`)),
            about(person, client.call('accounts_whoami')),
            about(person, single?.call('whoami') ?? Promise.reject(new Error('There is none.'))),
            about(person, bridge(person, 'account://me')),
          ]);
          const other = people[(index + 1) % people.length] ?? '';
          await expect(client.read(`inbox://${other}/${round % 9}`)).rejects.toThrow();
        }
      }),
    );
    expect(answered).toBe(rounds * people.length * 5);

    for (const { person, client } of clients) {
      await eventually(`an update for ${person}`, () => client.updates.length > 0);
      expect(client.updates.filter((uri) => !uri.startsWith(`inbox://${person}/`))).toEqual([]);
    }
    expect(accounts.requests.get('nobody') ?? 0).toBeLessThan(20);
  });
});

it('notifies only the user whose account has changed', async () => {
  const { accounts, logIn, connect } = await hubWithUsers();
  await logIn('ada');
  await logIn('bob');
  const [ada, bob] = [await connect('ada'), await connect('bob')];
  const own = await ada.subscribe('inbox://ada/1', 'inbox://bob/1');
  await bob.subscribe('inbox://ada/1', 'inbox://bob/1');
  expect(own.honored.length).toBeGreaterThan(0);
  accounts.change('ada', 1);
  await eventually('the update', () => ada.updates.includes('inbox://ada/1'));
  accounts.change('bob', 1);
  await eventually('the other update', () => bob.updates.includes('inbox://bob/1'));
  expect(ada.updates).not.toContain('inbox://bob/1');
  expect(bob.updates).not.toContain('inbox://ada/1');
});
