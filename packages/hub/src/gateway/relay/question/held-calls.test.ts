import { LiveError, RpcError } from '@tidings/live';
import type { InputRequiredResult } from '@modelcontextprotocol/client';
import { FakeClock } from '@tidings/live/testing';
import type { ServerQuestion } from '@tidings/track/internal';
import { describe, expect, it } from 'vitest';
import { FakeSession, contextOf } from '../../../testing/relay-fixture.ts';
import { legacyPatienceMs } from '../patience.ts';
import { Round } from '../relayed-request.ts';
import { type CallOwner, HeldCalls, lostCall } from './held-calls.ts';

const question: ServerQuestion = {
  method: 'elicitation/create',
  params: { mode: 'form', message: 'Who?', requestedSchema: { type: 'object', properties: {} } },
};
const patienceMs = 60_000;
const gatherMs = 20;
const ownerOf = (name = 'ask', serverId = 'notes'): CallOwner => ({
  context: contextOf({ name: 'c' }),
  serverId,
  name,
});
const legacyOwner: CallOwner = { ...ownerOf(), context: contextOf({ name: 'c', client: new FakeSession() }) };

function held() {
  const clock = new FakeClock();
  return { clock, calls: new HeldCalls<string>(clock, () => patienceMs) };
}

/** A call whose server has asked, so that it waits for its caller, and the state that continues it. */
async function asking({ clock, calls }: ReturnType<typeof held>, owner = ownerOf()) {
  const call = calls.create(owner);
  call.begin(new Promise(() => undefined));
  call.ask(question, new AbortController().signal).catch(() => undefined);
  const first: Promise<string | InputRequiredResult> = call.next(new Round(owner.context, clock));
  clock.advance(gatherMs);
  const result = await first;
  if (typeof result === 'string') throw new Error('The server has not asked.');
  return { call, state: result.requestState ?? '' };
}

describe('a call that waits for its caller', () => {
  it('is found by its state, for the same request', async () => {
    const all = held();
    const { call, state } = await asking(all);
    expect(state).toMatch(/^tidings-held\.\w+\.[\w-]{24}\.1$/);
    expect(all.calls.find(state, ownerOf())).toBe(call);
    expect(all.calls.size).toBe(1);
  });

  it.each([
    ['another tool', ownerOf('other')],
    ['another server', ownerOf('ask', 'other')],
    ['names that look the same together', ownerOf('k', 'notesas')],
  ])('is not found for %s', async (_, owner) => {
    const all = held();
    const { state } = await asking(all);
    expect(() => all.calls.find(state, owner)).toThrow('There is no call here that waits for this answer');
    expect(all.calls.find(state, ownerOf())).toBeDefined();
  });

  it('is not found by the state of another round', async () => {
    const all = held();
    const { state } = await asking(all);
    for (const round of ['0', '2', '9'])
      expect(() => all.calls.find(state.replace(/1$/, round), ownerOf())).toThrow('There is no call here');
  });

  it('is not found by the id of another call', async () => {
    const all = held();
    const { state } = await asking(all);
    const other = state.replace(/\.[\w-]{24}\./, `.${'A'.repeat(24)}.`);
    expect(() => all.calls.find(other, ownerOf())).toThrow('There is no call here');
  });

  it('is lost after its patience', async () => {
    const all = held();
    const { state } = await asking(all);
    all.clock.advance(patienceMs - 1);
    expect(all.calls.find(state, ownerOf())).toBeDefined();
    all.clock.advance(1);
    expect(() => all.calls.find(state, ownerOf())).toThrow('There is no call here');
    expect(all.calls.size).toBe(0);
  });

  it('of a 2025-era caller waits as long as the SDK', async () => {
    const all = held();
    const { state } = await asking(all, legacyOwner);
    all.clock.advance(legacyPatienceMs - 1);
    expect(all.calls.find(state, legacyOwner)).toBeDefined();
    all.clock.advance(1);
    expect(all.calls.size).toBe(0);
  });

  it('ends when the hub is closed', async () => {
    const all = held();
    const [one, other] = [await asking(all), await asking(all)];
    all.calls.close();
    expect([one.call.signal.aborted, other.call.signal.aborted, all.calls.size]).toEqual([true, true, 0]);
    expect(one.call.signal.reason).toMatchObject({ code: 'UNAVAILABLE', message: 'The hub is shutting down.' });
  });
});

describe('a state that is not of this process', () => {
  it.each([undefined, '', 'x', 'tidings-held', 'tidings-held.x.y.1', 'tidings-held...', 'constructor'])(
    '%j continues nothing here',
    (state) => {
      expect(held().calls.find(state, ownerOf())).toBeUndefined();
    },
  );

  it('continues nothing, also if it is that of a call of another one', async () => {
    const { state } = await asking(held());
    expect(held().calls.find(state, ownerOf())).toBeUndefined();
  });

  it.each([(state: string) => `${state}0`, (state: string) => `x${state}`, (state: string) => `${state}\n`])(
    'continues nothing with one character more: %#',
    async (changed) => {
      const all = held();
      const { state } = await asking(all);
      expect(all.calls.find(changed(state), ownerOf())).toBeUndefined();
    },
  );
});

describe('that a call is lost', () => {
  it('is an invalid state for a modern caller', () => {
    const error = lostCall(ownerOf().context, false);
    expect(error).toBeInstanceOf(RpcError);
    expect(error).toMatchObject({
      code: -32602,
      data: { code: 'INVALID_PARAMS', reason: 'invalid_request_state' },
      message: expect.stringContaining('Send the request again.'),
    });
  });

  it('is unavailable for a 2025-era caller', () => {
    const error = lostCall(legacyOwner.context, true);
    expect(error).toBeInstanceOf(LiveError);
    expect(error).toMatchObject({ code: 'UNAVAILABLE', message: expect.stringContaining('The hub was restarted') });
  });
});
