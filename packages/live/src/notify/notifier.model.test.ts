// The notifier compared with a simple model: in any order of events, every subscriber is notified of every change, none
// is notified of other URIs, and the pending updates of a stalled reader are limited.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { FakeClock } from '../testing/fake-clock.ts';
import { Notifier } from './notifier.ts';
import type { Subscriber } from './subscriber.ts';
import type { Subscription } from './subscription.ts';
import type { Watched } from './watched.ts';

const uris = ['a', 'b', 'c', 'd'];

class Reader {
  readonly wire = 'test';
  readonly tail = '\n';
  readonly subscriptions = new Map<string, Subscription>();
  /** The version of each URI at this reader's last notification or subscription. */
  readonly told = new Map<string, number>();
  readonly #versions: Map<string, number>;
  readonly #subscriber: Subscriber;
  #open = true;
  ready = true;

  constructor(notifier: Notifier, versions: Map<string, number>) {
    this.#versions = versions;
    this.#subscriber = notifier.attach(this);
  }

  encode({ key }: Watched): string {
    return key;
  }

  write(frames: string): void {
    expect(this.#open && this.ready).toBe(true);
    const keys = frames.trimEnd().split('\n');
    // The dirty set has each subscribed URI at most once, and no others.
    expect(new Set(keys).size).toBe(keys.length);
    for (const uri of keys) {
      expect(this.subscriptions.has(uri)).toBe(true);
      this.told.set(uri, this.#versions.get(uri) ?? 0);
    }
  }

  end(): void {
    throw new Error('nothing fails in this model');
  }

  subscribe(uri: string, windowMs: number): void {
    if (!this.#open || this.subscriptions.has(uri)) return;
    this.told.set(uri, this.#versions.get(uri) ?? 0);
    const subject = { kind: 'resource' as const, uri, canonical: uri };
    this.subscriptions.set(uri, this.#subscriber.subscribe({ subject, topics: [uri], windowMs }));
  }

  unsubscribe(uri: string): void {
    const subscription = this.subscriptions.get(uri);
    if (!subscription) return;
    this.subscriptions.delete(uri);
    this.#subscriber.unsubscribe(subscription);
  }

  stall(): void {
    this.ready = false;
  }

  drain(): void {
    this.ready = true;
    this.#subscriber.resume();
  }

  disconnect(): void {
    this.#open = false;
    this.subscriptions.clear();
    this.#subscriber.close();
  }
}

const reader = fc.nat({ max: 3 });
const uri = fc.constantFrom(...uris);

const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('change' as const), uri }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('subscribe' as const), reader, uri }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('unsubscribe' as const), reader, uri }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('stall' as const, 'drain' as const), reader }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('gap' as const) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('tick' as const) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('advance' as const), ms: fc.nat({ max: 120 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('disconnect' as const), reader }) },
);

it('leaves no subscriber stale', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120 }), fc.constantFrom(0, 50, 70), (steps, windowMs) => {
      const clock = new FakeClock();
      const notifier = new Notifier(clock, { warn: () => undefined, error: () => undefined });
      const versions = new Map<string, number>();
      const readers = Array.from({ length: 4 }, () => new Reader(notifier, versions));

      for (const each of steps) {
        const one = 'reader' in each ? readers[each.reader] : undefined;
        switch (each.do) {
          case 'change':
            versions.set(each.uri, (versions.get(each.uri) ?? 0) + 1);
            notifier.change({ topics: [each.uri] });
            break;
          case 'subscribe':
            one?.subscribe(each.uri, windowMs);
            break;
          case 'unsubscribe':
            one?.unsubscribe(each.uri);
            break;
          case 'gap':
            notifier.gap();
            break;
          case 'tick':
            clock.tick();
            break;
          case 'advance':
            clock.advance(each.ms);
            break;
          default:
            one?.[each.do]();
        }
      }

      for (const each of readers) each.drain();
      clock.advance(1000);
      for (const { subscriptions, told } of readers) {
        for (const watched of subscriptions.keys()) expect(told.get(watched)).toBe(versions.get(watched) ?? 0);
      }
      for (const each of readers) each.disconnect();
      expect(notifier.interest.size).toBe(0);
      expect(notifier.subscribers).toBe(0);
      clock.advance(1000);
      expect(clock.waiting).toBe(0);
    }),
    { numRuns: 2000 },
  );
});
