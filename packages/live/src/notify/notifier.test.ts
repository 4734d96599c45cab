import { describe, expect, it } from 'vitest';
import { FakeClock } from '../testing/fake-clock.ts';
import { Notifier } from './notifier.ts';
import type { Sink } from './sink.ts';
import type { Permit } from './permission-checks.ts';
import type { Watched } from './watched.ts';

class RecordingSink implements Sink {
  readonly wire = 'test';
  readonly tail = '\n';
  isReady = true;
  looked = 0;
  /** The URIs of each write. */
  readonly writes: string[][] = [];
  ended: string | undefined;

  get ready(): boolean {
    this.looked += 1;
    return this.isReady;
  }

  encode({ subject }: Watched): string {
    return subject.kind === 'resource' ? subject.uri : subject.list;
  }

  write(frames: string): void {
    if (frames.includes('fail')) throw new Error('broken pipe');
    this.writes.push(frames.trimEnd().split('\n'));
  }

  end(reason: string): void {
    this.ended = reason;
  }
}

function setup() {
  const clock = new FakeClock();
  const logged: string[] = [];
  const log = { warn: () => undefined, error: (_fields: object, message: string) => void logged.push(message) };
  const notifier = new Notifier(clock, log);
  const change = (...topics: string[]) => notifier.change({ topics });
  const subscribe = (uris: string[], { windowMs = 50, permit }: { windowMs?: number; permit?: Permit } = {}) => {
    const sink = new RecordingSink();
    const subscriber = notifier.attach(sink, permit);
    const subscriptions = uris.map((uri) =>
      subscriber.subscribe({
        subject: { kind: 'resource', uri, canonical: uri },
        topics: [uri, `topic of ${uri}`],
        windowMs,
      }),
    );
    return { sink, subscriber, subscriptions };
  };
  return { clock, logged, notifier, change, subscribe };
}

describe('the window', () => {
  it('sends the first update at once and merges later ones into one at its end', () => {
    const { clock, change, subscribe, notifier } = setup();
    const { sink } = subscribe(['a']);
    change('a');
    clock.tick();
    expect(sink.writes).toHaveLength(1);
    for (let n = 0; n < 10; n += 1) {
      clock.advance(4);
      change('a');
    }
    expect(sink.writes).toHaveLength(1);
    clock.advance(10);
    expect(sink.writes).toHaveLength(2);
    clock.advance(1000);
    expect(sink.writes).toHaveLength(2);
    expect(notifier.counters).toMatchObject({ dirty: 11, frames: 2, merged: 9 });
  });

  it('begins again with its trailing update', () => {
    const { clock, change, subscribe } = setup();
    const { sink } = subscribe(['a']);
    for (let ms = 0; ms < 1000; ms += 5) {
      change('a');
      clock.advance(5);
    }
    clock.advance(100);
    // One per window: twenty in a second, and the first.
    expect(sink.writes.length).toBeLessThanOrEqual(21);
    expect(sink.writes.length).toBeGreaterThanOrEqual(20);
  });

  it('is separate for each URI, and can have the length 0', () => {
    const { clock, change, subscribe } = setup();
    const slow = subscribe(['slow'], { windowMs: 1000 });
    const instant = subscribe(['instant'], { windowMs: 0 });
    for (let n = 0; n < 5; n += 1) {
      change('slow', 'instant');
      clock.advance(10);
    }
    expect(slow.sink.writes).toHaveLength(1);
    expect(instant.sink.writes).toHaveLength(5);
    clock.advance(1000);
    expect(slow.sink.writes).toHaveLength(2);
  });

  it('ends on time, also if that of another URI begins again before', () => {
    const { clock, change, subscribe } = setup();
    subscribe(['a']);
    const { sink } = subscribe(['b']);
    change('a');
    clock.advance(10);
    change('b');
    clock.advance(10);
    change('a', 'b');
    clock.advance(39);
    expect(sink.writes).toHaveLength(1);
    clock.advance(1);
    expect(sink.writes).toHaveLength(2);
  });

  it('leaves no timer behind', () => {
    const { clock, change, subscribe } = setup();
    subscribe(['a']);
    change('a');
    clock.advance(1000);
    expect(clock.waiting).toBe(0);
  });
});

describe('a flush', () => {
  it('writes all changes of one tick at once', () => {
    const { clock, change, subscribe } = setup();
    const { sink } = subscribe(['a', 'b', 'c']);
    change('a');
    change('b', 'c');
    clock.tick();
    expect(sink.writes).toEqual([['a', 'b', 'c']]);
  });

  it('notifies once of a change with two topics of a resource', () => {
    const { clock, change, subscribe } = setup();
    const { sink } = subscribe(['a']);
    change('a', 'topic of a');
    clock.advance(1000);
    expect(sink.writes).toEqual([['a']]);
  });

  it('does not visit subscribers of other URIs', () => {
    const { clock, change, subscribe } = setup();
    const strangers = Array.from({ length: 100 }, (_, n) => subscribe([`stranger ${n}`]));
    const { sink } = subscribe(['a']);
    change('a');
    clock.advance(1000);
    expect(sink.writes).toHaveLength(1);
    expect(strangers.every((stranger) => stranger.sink.looked === 0)).toBe(true);
  });

  it('closes a failing sink, logs and counts it, and continues with the others', () => {
    const { clock, change, subscribe, notifier, logged } = setup();
    const failing = subscribe(['fail']);
    const { sink } = subscribe(['a']);
    change('fail', 'a');
    clock.tick();
    expect(failing.sink.ended).toBe('failed');
    expect(sink.writes).toEqual([['a']]);
    expect(notifier.counters.failedSends).toBe(1);
    expect(notifier.subscribers).toBe(1);
    expect(logged).toHaveLength(1);
  });
});

describe('a sink that is not ready', () => {
  it('gets one update per URI once it is ready', () => {
    const { clock, change, subscribe } = setup();
    const { sink, subscriber } = subscribe(['a', 'b'], { windowMs: 0 });
    sink.isReady = false;
    for (let n = 0; n < 1000; n += 1) {
      change('a', 'b');
      clock.tick();
    }
    expect(sink.writes).toEqual([]);
    sink.isReady = true;
    subscriber.resume();
    clock.tick();
    expect(sink.writes).toEqual([['a', 'b']]);
  });

  it('gets no update of a URI that was unsubscribed meanwhile', () => {
    const { clock, change, subscribe } = setup();
    const { sink, subscriber, subscriptions } = subscribe(['a', 'b', 'c']);
    sink.isReady = false;
    change('a', 'b', 'c');
    clock.tick();
    const [a] = subscriptions;
    if (a) subscriber.unsubscribe(a);
    sink.isReady = true;
    subscriber.resume();
    clock.tick();
    expect(sink.writes.flat().sort()).toEqual(['b', 'c']);
  });
});

describe('permission', () => {
  const settle = () => new Promise((resolve) => setImmediate(resolve));

  it('that takes time delays only this resource', async () => {
    const { clock, change, subscribe } = setup();
    let allow: (value: boolean) => void = () => undefined;
    const permit: Permit = (subject) =>
      subject.kind === 'resource' && subject.uri === 'a' ? new Promise((resolve) => (allow = resolve)) : true;
    const { sink } = subscribe(['a', 'b'], { windowMs: 0, permit });
    change('a', 'b');
    clock.tick();
    expect(sink.writes).toEqual([['b']]);
    change('a');
    clock.tick();
    allow(true);
    await settle();
    clock.tick();
    expect(sink.writes).toEqual([['b'], ['a']]);
  });

  it('that is refused ends the stream', async () => {
    const { clock, change, subscribe, notifier } = setup();
    const refused = subscribe(['a', 'b'], { permit: (subject) => subject.kind === 'resource' && subject.uri === 'b' });
    const refusedLater = subscribe(['a'], { permit: () => Promise.resolve(false) });
    change('a', 'b');
    clock.tick();
    await settle();
    clock.tick();
    expect(refused.sink).toMatchObject({ ended: 'revoked' });
    expect(refusedLater.sink).toMatchObject({ writes: [], ended: 'revoked' });
    expect(notifier.subscribers).toBe(0);
    expect(notifier.interest.size).toBe(0);
  });

  it('that fails or does not settle is checked again', async () => {
    const { clock, change, subscribe, logged } = setup();
    const answers = [
      () => Promise.reject(new Error('no connection')),
      () => new Promise<boolean>(() => undefined),
      () => true,
    ];
    const { sink } = subscribe(['a'], { permit: () => answers.shift()?.() ?? true });
    change('a');
    clock.tick();
    await settle();
    clock.advance(1000);
    expect(sink.writes).toEqual([]);
    clock.advance(10_000);
    await settle();
    clock.advance(1000);
    expect(sink).toMatchObject({ writes: [['a']], ended: undefined });
    expect(logged).toHaveLength(2);
  });

  it('does not keep a subscriber that unsubscribed meanwhile waiting', async () => {
    const { clock, change, subscribe } = setup();
    const { sink, subscriber, subscriptions } = subscribe(['a'], { permit: () => Promise.resolve(true) });
    change('a');
    clock.tick();
    const [a] = subscriptions;
    if (a) subscriber.unsubscribe(a);
    await settle();
    clock.tick();
    expect(sink.writes).toEqual([]);
  });
});

it('sends updates again if they may not have arrived', () => {
  const { clock, change, subscribe } = setup();
  const { sink, subscriber } = subscribe(['a', 'b'], { windowMs: 0 });
  change('a');
  clock.tick();
  subscriber.assumeChanged();
  clock.tick();
  expect(sink.writes).toEqual([['a'], ['a', 'b']]);
});

it('continues with other streams if one fails in another way', () => {
  const { clock, change, subscribe, notifier } = setup();
  const broken = subscribe(['a']);
  broken.sink.encode = () => {
    throw new Error('cannot be written down');
  };
  const { sink } = subscribe(['a']);
  change('a');
  clock.tick();
  expect(sink.writes).toEqual([['a']]);
  expect(notifier.subscribers).toBe(1);
});

it('refuses subscriptions of an ended stream', () => {
  const { subscribe, notifier } = setup();
  const { subscriber } = subscribe(['a']);
  subscriber.close();
  const target = { subject: { kind: 'list' as const, list: 'tools' as const }, topics: [], windowMs: 0 };
  expect(() => subscriber.subscribe(target)).toThrow('has ended');
  expect(notifier.interest.size).toBe(0);
});

it('treats a gap as a change of everything', () => {
  const { clock, notifier, subscribe } = setup();
  const sinks = [subscribe(['a', 'b']).sink, subscribe(['c']).sink];
  notifier.gap();
  clock.tick();
  expect(sinks.map(({ writes }) => writes.flat())).toEqual([['a', 'b'], ['c']]);
});

it('serialises an update once for all streams', () => {
  const { notifier } = setup();
  let built = 0;
  const sink = new RecordingSink();
  sink.encode = () => String((built += 1));
  const subscriptions = Array.from({ length: 1000 }, () =>
    notifier
      .attach(sink)
      .subscribe({ subject: { kind: 'resource', uri: 'a', canonical: 'a' }, topics: ['a'], windowMs: 50 }),
  );
  for (const { watched } of subscriptions) watched.frameFor(sink);
  expect(built).toBe(1);
});

it('reports the first and the end of the last subscription of a URI', () => {
  const { notifier } = setup();
  const log: string[] = [];
  const target = {
    subject: { kind: 'resource' as const, uri: 'a', canonical: 'a' },
    topics: ['a'],
    windowMs: 50,
    onWatched: () => {
      log.push('watched');
      return () => log.push('forgotten');
    },
  };
  const [one, two] = [notifier.attach(new RecordingSink()), notifier.attach(new RecordingSink())];
  one.subscribe(target);
  const second = two.subscribe(target);
  one.close();
  expect(log).toEqual(['watched']);
  two.unsubscribe(second);
  expect(log).toEqual(['watched', 'forgotten']);
  two.subscribe(target);
  expect(log).toEqual(['watched', 'forgotten', 'watched']);
});
