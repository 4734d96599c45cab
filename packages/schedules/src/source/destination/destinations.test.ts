import { FakeClock } from '@tidings/live/testing';
import { describe, expect, it } from 'vitest';
import { usualRetries } from '../../model/tries.ts';
import type { Destination, Push } from './destination.ts';
import type { DestinationsFile } from './destination-settings.ts';
import { Destinations, type NamedDestination, destinationsOf } from './destinations.ts';

/** Keeps what was sent. */
class FakeDestination implements Destination {
  readonly kind = 'fake';
  readonly words: string;
  readonly sent: Push[] = [];

  constructor(words: string) {
    this.words = words;
  }

  async send(push: Push): Promise<void> {
    this.sent.push(push);
  }
}

const push = (topic: string): Push => ({ id: '1', at: 0, topic, message: 'x' });
const noEnv: Record<string, string | undefined> = {};

function opened(file?: DestinationsFile, env = noEnv) {
  const usual = new FakeDestination('the usual place');
  return { usual, destinations: destinationsOf(file, { usual, env, clock: new FakeClock() }) };
}

/** `team` and `chat` can be used; `locked` lacks a variable. */
function named(topics: Record<string, string>) {
  const [team, chat, locked] = [
    new FakeDestination('to team'),
    new FakeDestination('to chat'),
    new FakeDestination('to locked'),
  ];
  const all = new Map<string, NamedDestination>([
    ['team', { destination: team, retries: usualRetries }],
    ['chat', { destination: chat, retries: usualRetries }],
    ['locked', { destination: locked, retries: usualRetries, problem: 'its environment has no KEY' }],
  ]);
  return { team, chat, destinations: new Destinations(all, topics) };
}

describe('the destination of a topic', () => {
  const { destinations } = named({ '*': 'team', alerts: 'chat', constructor: 'locked' });
  it.each<[topic: string, chosen: string | null | undefined, name: string]>([
    ['alerts', undefined, 'chat'],
    ['alerts', null, 'chat'],
    ['alerts', 'locked', 'locked'],
    ['alerts', 'unknown', 'unknown'],
    ['Alerts', undefined, 'team'],
    ['', undefined, 'team'],
    ['constructor', undefined, 'locked'],
    ['toString', undefined, 'team'],
    ['__proto__', undefined, 'team'],
  ])('"%s", with %j chosen, is %s', (topic, chosen, name) => {
    expect(destinations.nameFor(topic, chosen)).toBe(name);
  });

  it('is ntfy if no other is named', () => {
    expect(named({}).destinations.nameFor('alerts')).toBe('ntfy');
    expect(named({ other: 'team' }).destinations.nameFor('alerts')).toBe('ntfy');
  });

  it('is the only one, if there is only one', () => {
    const only = new FakeDestination('here');
    const destinations = Destinations.only(only, 'one');
    expect([destinations.nameFor('any'), destinations.wordsFor('any')]).toEqual(['one', 'here']);
    expect(destinations.isUsable('any', null)).toBe(true);
  });
});

describe('a notification', () => {
  it('is sent to its destination only', async () => {
    const { team, chat, destinations } = named({ '*': 'team', alerts: 'chat' });
    await destinations.send(push('alerts'));
    await destinations.send(push('other'), null);
    await destinations.send(push('other'), 'chat');
    expect(chat.sent.map(({ topic }) => topic)).toEqual(['alerts', 'other']);
    expect(team.sent.map(({ topic }) => topic)).toEqual(['other']);
  });

  it.each([
    ['locked', 'Not sent: its environment has no KEY.'],
    ['unknown', 'Not sent: "unknown" is not among the destinations that are set here.'],
    ['__proto__', 'Not sent: "__proto__" is not among the destinations that are set here.'],
  ])('to %s is tried again, since another process may be able to send it', async (chosen, message) => {
    const { destinations } = named({});
    await expect(destinations.send(push('alerts'), chosen)).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message,
      isTemporary: true,
    });
    expect(destinations.isUsable('alerts', chosen)).toBe(false);
  });
});

it.each([
  ['team', 'to team'],
  ['locked', 'to locked (not usable by this process: its environment has no KEY)'],
  ['unknown', 'unknown, which is not among the destinations that are set here'],
])('%s is in words: %s', (chosen, words) => {
  expect(named({}).destinations.wordsFor('alerts', chosen)).toBe(words);
});

it('a name that is chosen must be one of a destination', () => {
  const { destinations } = named({});
  expect(destinations.check('locked')).toBe('locked');
  for (const name of ['', 'Team', 'constructor', '__proto__'])
    expect(() => destinations.check(name)).toThrow('There are: team, chat, locked.');
});

it('the list of destinations has their problems, and the topics without "*"', () => {
  expect(named({ '*': 'team', alerts: 'chat' }).destinations.shown()).toEqual({
    destinations: [
      { name: 'team', kind: 'fake', to: 'to team' },
      { name: 'chat', kind: 'fake', to: 'to chat' },
      { name: 'locked', kind: 'fake', to: 'to locked', problem: 'its environment has no KEY' },
    ],
    topics: { alerts: 'chat' },
    default: 'team',
  });
});

describe('a file of destinations', () => {
  const hook = { kind: 'webhook', url: 'https://example.com/', secret_env: 'KEY' } as const;

  it('that is missing leaves the usual one', async () => {
    const { usual, destinations } = opened();
    await destinations.send(push('any'));
    expect(usual.sent).toHaveLength(1);
    expect(destinations.shown()).toMatchObject({ destinations: [{ name: 'ntfy' }], topics: {}, default: 'ntfy' });
  });

  it('adds to the usual one, or replaces it', () => {
    const added = opened({ destinations: { team: hook }, topics: { '*': 'team' } }, { KEY: 'whsec_YWJj' });
    expect(added.destinations.shown().destinations.map(({ name, kind }) => [name, kind])).toEqual([
      ['ntfy', 'fake'],
      ['team', 'webhook'],
    ]);
    const replaced = opened({ destinations: { ntfy: hook }, topics: {} }, { KEY: 'whsec_YWJj' });
    expect(replaced.destinations.shown().destinations).toMatchObject([{ name: 'ntfy', kind: 'webhook' }]);
  });

  it('has tries and pauses of its own for each', () => {
    const file = {
      destinations: { a: { ...hook, tries: 2, pause_seconds: 0.5 }, b: { ...hook, tries: 1 }, c: hook },
      topics: { alerts: 'a' },
    };
    const { destinations } = opened(file, { KEY: 'whsec_YWJj' });
    expect(destinations.retriesFor('alerts', null)).toEqual({ tries: 2, pauseMs: 500 });
    expect(destinations.retriesFor('alerts', 'b')).toEqual({ tries: 1, pauseMs: usualRetries.pauseMs });
    for (const chosen of ['c', 'unknown']) expect(destinations.retriesFor('alerts', chosen)).toEqual(usualRetries);
  });

  it.each<[what: string, env: Record<string, string | undefined>, isUsable: boolean]>([
    ['its secret', { KEY: 'whsec_YWJj' }, true],
    ['an empty secret', { KEY: '' }, false],
    ['no secret', {}, false],
  ])('can be used with %s: %s', (_, env, isUsable) => {
    const { destinations } = opened({ destinations: { team: hook }, topics: {} }, env);
    expect(destinations.isUsable('alerts', 'team')).toBe(isUsable);
  });

  it('cannot name as a secret what every object inherits', () => {
    const { destinations } = opened({ destinations: { team: { ...hook, secret_env: 'constructor' } }, topics: {} });
    expect(destinations.wordsFor('alerts', 'team')).toContain('its environment has no constructor');
  });
});
