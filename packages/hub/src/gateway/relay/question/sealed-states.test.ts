import { randomBytes } from 'node:crypto';
import type { Caller } from '@tidings/live';
import { expect, it } from 'vitest';
import { nodePrincipal } from '../../../access/node-principal.ts';
import type { CallOwner } from './held-calls.ts';
import { SealedStates } from './sealed-states.ts';

interface Given {
  subject?: string;
  serverId?: string;
  name?: string;
  auth?: Caller['auth'];
}

function owner(
  state?: string,
  { subject = 'ada', serverId = 's', name = 'ask', auth = { subject } }: Given = {},
): CallOwner {
  const caller: Caller = { era: 'modern', transport: 'http', auth };
  const mcpReq = {
    signal: new AbortController().signal,
    notify: () => Promise.resolve(),
    requestState: () => state,
  };
  const client = { capabilities: {}, info: undefined, logLevel: undefined, notify: undefined };
  return { context: { caller, client, mcpReq, log: () => undefined }, serverId, name };
}

it.each(['1', '', 'a.b', '{"step":2,"ü":"…"}'])('a state of a server is returned unchanged: %s', (state) => {
  const states = new SealedStates(randomBytes(32));
  const sealed = states.seal(state, owner());
  expect(states.open(owner(sealed))).toBe(state);
  expect(states.open(owner())).toBeUndefined();
});

it.each([{ subject: 'bob' }, { serverId: 'other' }, { name: 'other' }])('a state is refused for %o', (other) => {
  const states = new SealedStates(randomBytes(32));
  const sealed = states.seal('1', owner());
  expect(() => states.open(owner(sealed, other))).toThrow('no call here that waits');
});

it('a forged state, and one of an earlier run, is refused', () => {
  const states = new SealedStates(randomBytes(32));
  const sealed = states.seal('1', owner());
  const forged = sealed.split('.').with(2, Buffer.from('2').toString('base64url')).join('.');
  for (const state of ['1', '', forged, `${sealed}x`]) {
    expect(() => states.open(owner(state)), state).toThrow('no call here that waits');
  }
  expect(() => new SealedStates(randomBytes(32)).open(owner(sealed))).toThrow('The hub was restarted');
});

it('a state is valid at every node with the same key, and is unsealed for another node', () => {
  const key = randomBytes(32);
  const [one, two] = [new SealedStates(key), new SealedStates(key)];
  expect(two.open(owner(one.seal('1', owner())))).toBe('1');
  const node = { auth: nodePrincipal };
  expect(one.seal('1', owner(undefined, node))).toBe('1');
  expect(one.open(owner('1', node))).toBe('1');
});
