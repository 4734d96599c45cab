import { FakeClock } from '@tidings/live/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Pacing, type PacingOptions } from './pacing.ts';

function pacing(options: PacingOptions) {
  const clock = new FakeClock();
  const told: string[][] = [];
  const take = () => {
    for (let batch = under.take(); batch; batch = under.take()) {
      const uris = batch.news.map((news) => (news.type === 'gap' ? `gap ${news.serverId}` : news.resourceUri));
      told.push(batch.isSummary ? ['summary', ...uris] : uris);
    }
  };
  const under = new Pacing(options, clock, take);
  const offer = (...uris: string[]) => {
    for (const resourceUri of uris) {
      under.offer({ type: 'resource_update', serverId: 's', resourceUri, timestamp: String(clock.now()) });
      take();
    }
  };
  return { clock, told, offer, under, take };
}

describe('now', () => {
  it('sends each update as it arrives, even while the model answers', () => {
    const { told, offer, under } = pacing({});
    under.answering(true);
    offer('a', 'b', 'a');
    expect(told).toEqual([['a'], ['b'], ['a']]);
  });
});

describe('between turns', () => {
  it('waits while the model answers, and merges by resource with the latest time', () => {
    const { told, offer, under, clock } = pacing({ when: 'between-turns' });
    offer('before');
    under.answering(true);
    offer('a', 'b');
    clock.advance(100);
    offer('a');
    expect(told).toEqual([['before']]);
    under.answering(false);
    expect(told).toEqual([['before'], ['b', 'a']]);
  });

  it('waits at most three seconds with any number of updates, and again afterwards', () => {
    const { told, offer, under, clock } = pacing({ when: 'between-turns' });
    under.answering(true);
    const offered = new Map<string, number>();
    let seen = 0;
    for (let count = 0; count < 200; count += 1) {
      offered.set(`r${count}`, clock.now());
      offer(`r${count}`);
      clock.advance(100);
      for (const uri of told.slice(seen).flat())
        expect(clock.now() - (offered.get(uri) ?? 0)).toBeLessThanOrEqual(3000);
      seen = told.length;
    }
    clock.advance(3000);
    expect(told.flat()).toHaveLength(200);
  });

  it('waits at most three seconds', () => {
    const { told, offer, under, clock } = pacing({ when: 'between-turns' });
    under.answering(true);
    offer('a');
    clock.advance(2000);
    offer('b');
    clock.advance(999);
    expect(told).toEqual([]);
    clock.advance(1);
    expect(told).toEqual([['a', 'b']]);
  });
});

describe('a gap', () => {
  it('waits like an update, and only the latest of each server is sent', () => {
    const { told, offer, under, clock } = pacing({ when: 'between-turns' });
    under.answering(true);
    offer('a');
    for (const serverId of ['s', 't', 's']) under.offer({ type: 'gap', serverId, timestamp: String(clock.now()) });
    clock.advance(3000);
    expect(told).toEqual([['a', 'gap t', 'gap s']]);
  });
});

describe('a budget', () => {
  it('sends lines up to the limit, and a summary of the rest when the minute is over', () => {
    const { told, offer, clock } = pacing({ perMinute: 2 });
    offer('a', 'b', 'c', 'd', 'c');
    expect(told).toEqual([['a'], ['b']]);
    clock.advance(59_999);
    expect(told).toHaveLength(2);
    clock.advance(1);
    expect(told[2]).toEqual(['summary', 'd', 'c']);
    offer('e');
    expect(told[3]).toEqual(['e']);
  });

  it('sends one summary for more updates at once than the limit', () => {
    const { told, under, take } = pacing({ perMinute: 2 });
    for (const resourceUri of ['a', 'b', 'c']) {
      under.offer({ type: 'resource_update', serverId: 's', resourceUri, timestamp: '' });
    }
    take();
    expect(told).toEqual([['summary', 'a', 'b', 'c']]);
  });

  it('counts a summary that failed as one line', () => {
    const { told, offer, under } = pacing({ perMinute: 2 });
    offer('a');
    for (const resourceUri of ['b', 'c', 'd']) {
      under.offer({ type: 'resource_update', serverId: 's', resourceUri, timestamp: '' });
    }
    under.requeue(under.take()?.news ?? [], 1);
    expect(under.take()).toMatchObject({ isSummary: true });
    offer('e');
    expect(told).toEqual([['a']]);
  });

  it('leaves no timer behind once everything is sent', () => {
    const { offer, under, clock } = pacing({ when: 'between-turns' });
    under.answering(true);
    offer('a');
    expect(clock.waiting).toBe(1);
    under.answering(false);
    expect(clock.waiting).toBe(0);
  });

  it('does not count lines that failed', () => {
    const { under } = pacing({ perMinute: 2 });
    under.offer({ type: 'resource_update', serverId: 's', resourceUri: 'a', timestamp: '' });
    for (let attempt = 0; attempt < 10; attempt += 1) under.requeue(under.take()?.news ?? []);
    expect(under.take()).toMatchObject({ news: [{ resourceUri: 'a' }], isSummary: false });
  });
});

it('drops no resource in any order of events', () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('offer' as const), uri: fc.constantFrom('a', 'b', 'c', 'd') }),
    fc.record({ kind: fc.constant('answering' as const), is: fc.boolean() }),
    fc.record({ kind: fc.constant('pass' as const), ms: fc.integer({ min: 0, max: 70_000 }) }),
  );
  const options = fc.record({
    when: fc.constantFrom('now' as const, 'between-turns' as const),
    perMinute: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
  });
  fc.assert(
    fc.property(options, fc.array(step, { maxLength: 60 }), (given, steps) => {
      const { told, offer, under, clock } = pacing(given);
      const dirty = new Set<string>();
      let seen = 0;
      const settle = () => {
        for (const uris of told.slice(seen)) for (const uri of uris) dirty.delete(uri);
        seen = told.length;
      };
      for (const each of steps) {
        if (each.kind === 'answering') under.answering(each.is);
        if (each.kind === 'pass') clock.advance(each.ms);
        if (each.kind === 'offer') {
          dirty.add(each.uri);
          offer(each.uri);
        }
        settle();
      }
      under.answering(false);
      clock.advance(120_000);
      settle();
      expect([...dirty]).toEqual([]);
    }),
  );
});
