import type { Client } from '@modelcontextprotocol/client';
import { FakeClock } from '@tidings/live/testing';
import { eventLoopTurn } from '@tidings/live/time';
import { expect, it } from 'vitest';
import { DefinitionLists } from './definition-lists.ts';

/** Tools of a server whose list fails while `isBroken`, and when it was asked for. */
function tools() {
  const clock = new FakeClock();
  const state = { isBroken: true, askedAt: Array.of<number>() };
  const used = {
    getServerCapabilities: () => ({ tools: {} }),
    request: async () => {
      state.askedAt.push(clock.now());
      if (state.isBroken) throw new Error('The list is broken.');
      return { tools: [] };
    },
  };
  // Only these methods of the client are used.
  const client: Client = Object.assign(Object.create(null), used);
  const read = () => void lists.list('tools').catch(() => undefined);
  const lists: DefinitionLists = new DefinitionLists({
    clock,
    random: () => 1,
    use: (work) => work(client),
    reportMissing: () => undefined,
    due: read,
  });
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 100) {
      await eventLoopTurn();
      clock.advance(100);
    }
    await eventLoopTurn();
  };
  return { state, read, pass };
}

it('a list that could not be read is read again with growing pauses, until it can be', async () => {
  const { state, read, pass } = tools();
  read();
  await pass(4000);
  expect(state.askedAt).toEqual([0, 500, 1500, 3500]);
  state.isBroken = false;
  await pass(100_000);
  expect(state.askedAt).toEqual([0, 500, 1500, 3500, 7500]);
});

it('a list that has changed soon after it could not be read does not wait for the end of the pause', async () => {
  const { state, read, pass } = tools();
  read();
  await pass(3500);
  state.isBroken = false;
  read();
  await pass(100_000);
  expect(state.askedAt).toEqual([0, 500, 1500, 3500, 3600]);
});
