// A real hub and a client with every known kind of misbehaviour: during each attack the hub answers, and another
// principal is served and notified; after the client has left, its memory is freed.
import { eventually } from '@tidings/live/testing';
import { describe, expect, it } from 'vitest';
import { NotesUpstream } from '../../hub/notes-upstream.ts';
import { Attacked, blockedMs } from '../support/attacked.ts';
import { someAtOnce } from '../support/some-at-once.ts';
import { Attacker } from './attacker.ts';
import { Bystander, prepare } from './bystander.ts';
import { groups } from './misbehaviours.ts';

const megabyte = 1024 * 1024;
const manyPages = 3000;
const env = { ATTACKER: 'attacker-token', OTHER: 'other-token' };

const attacks = Object.entries(groups).map(([name, misbehaviours]) => ({ name, misbehaviours }));
const inTurn = someAtOnce(5);

describe('clients with', () => {
  it.concurrent.each(attacks)('$name do not stop the hub, nor its service for others', { timeout: 300_000 }, (attack) =>
    inTurn(() => survives(attack)),
  );
});

async function survives({ misbehaviours }: (typeof attacks)[number]): Promise<void> {
  await using notes = await NotesUpstream.start('modern');
  prepare(notes);
  await using pages = await NotesUpstream.start('modern', 'page');
  // Names with escapes take longest to check against the token's patterns.
  for (let n = 0; n < manyPages; n += 1) pages.notes.set(`page ${n} of many`, '');
  const servers = [notes.entry('notes'), pages.entry('pages', false)];
  const tokens = [{ env: 'ATTACKER', allow: ['note://**', 'page://**'] }, { env: 'OTHER' }];
  await using hub = await Attacked.start('hub', { servers, tokens }, env);
  const whole = { authorization: `Bearer ${env.OTHER}` };
  await eventually('the server', async () => (await hub.servers(whole))[0]?.state === 'live', 20_000);
  await using bystander = await Bystander.start(hub, notes, env.OTHER);
  await bystander.isServed();
  const before = await hub.memory();

  for (const { name, attack } of misbehaviours) {
    const attacker = new Attacker(hub.url, env.ATTACKER);
    try {
      await attack(attacker, bystander.victim);
      await bystander.isServed();
      attacker.vanish();
      await bystander.isServed();
      const turns: number[] = [];
      await eventually(
        'the memory to be free again',
        async () => {
          const now = await hub.memory();
          turns.push(now.longestTurnMs);
          return now.heapUsed + now.external - before.heapUsed - before.external < 50 * megabyte;
        },
        20_000,
      );
      expect(Math.max(...turns), 'the longest turn of the hub').toBeLessThan(blockedMs);
    } catch (error) {
      throw new Error(`After the attack with ${name}`, { cause: error });
    } finally {
      attacker.vanish();
    }
  }
  await hub.stop();
  const alarming = hub.stderr.split('\n').filter((line) => /Warning|Unhandled|Uncaught|"level":50/.test(line));
  expect(alarming).toEqual([]);
}
