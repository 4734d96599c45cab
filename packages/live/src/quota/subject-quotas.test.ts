import { describe, expect, it } from 'vitest';
import { LimitExceeded } from '../base/error.ts';
import { FakeClock } from '../testing/fake-clock.ts';
import { type SubjectLimits, SubjectQuotas } from './subject-quotas.ts';
import { WatchedHold } from './watched-hold.ts';

type Kind = 'sessions' | 'streams' | 'watchedUris' | 'watchedCharacters';

const unlimited: SubjectLimits<Kind> = {
  sessions: Number.POSITIVE_INFINITY,
  streams: Number.POSITIVE_INFINITY,
  watchedUris: Number.POSITIVE_INFINITY,
  watchedCharacters: Number.POSITIVE_INFINITY,
  requestsInFlight: Number.POSITIVE_INFINITY,
  requestsPerSecond: Number.POSITIVE_INFINITY,
};
const totals = { sessions: 100, streams: 100, watchedUris: 100, watchedCharacters: 1000, requestsInFlight: 100 };

function quotas(own: Partial<SubjectLimits<Kind>> = {}, subjects = ['ann', 'bob']) {
  const clock = new FakeClock();
  const limits = { ...unlimited, ...own };
  const made = new SubjectQuotas<Kind>({ clock, totals, limitsOf: () => limits, subjects: () => subjects });
  return { clock, quotas: made };
}

const ann = { auth: { subject: 'ann' } };
const bob = { auth: { subject: 'bob' } };

function refusal(work: () => unknown): LimitExceeded {
  try {
    work();
  } catch (error) {
    if (error instanceof LimitExceeded) return error;
    throw error;
  }
  throw new Error('It was not refused.');
}

describe('quotas', () => {
  it('limit the use of one subject, with the name of the quota and the time of the next attempt', () => {
    const { quotas: each } = quotas({ streams: 2 });
    const first = each.hold(ann, 'streams', 2);
    const refused = refusal(() => each.hold(ann, 'streams', 1));
    expect(refused).toMatchObject({ code: 'LIMIT_EXCEEDED', retryAfter: 5 });
    expect(refused.message).toBe('Your quota of streams is 2, of which 2 are in use: end some, or try again in 5 s.');
    each.hold(bob, 'streams', 2);
    first.release();
    first.release();
    expect(each.used('ann', 'streams')).toBe(0);
    each.hold(ann, 'streams', 1).add(1);
  });

  it('count watched URIs and their characters, both or neither', () => {
    const { quotas: each } = quotas({ watchedUris: 3, watchedCharacters: 20 });
    const watched = new WatchedHold(each, ann);
    const used = () => [each.used('ann', 'watchedUris'), each.used('ann', 'watchedCharacters')];
    watched.add(['a://1', 'a://2']);
    expect(refusal(() => watched.add(['a://of-which-the-name-is-long'])).message).toContain('watchedCharacters is 20');
    expect(refusal(() => watched.add(['a:', 'b:'])).message).toContain('watchedUris is 3');
    expect(used()).toEqual([2, 10]);
    watched.remove('a://1');
    expect(used()).toEqual([1, 5]);
    watched.release();
    expect(used()).toEqual([0, 0]);
  });

  it('keep a share for every other subject', () => {
    const { quotas: each } = quotas();
    const held = each.hold(ann, 'sessions', 75);
    expect(refusal(() => held.add(1)).message).toContain('All sessions that are not kept for others are in use');
    each.hold(bob, 'sessions', 25);
    expect(refusal(() => each.hold(bob, 'sessions', 1)).code).toBe('LIMIT_EXCEEDED');
    held.remove(30);
    each.hold(bob, 'sessions', 1);
  });

  it('reserve nothing for a single subject', () => {
    const { quotas: each } = quotas({}, ['ann']);
    each.hold(ann, 'sessions', 100);
    expect(refusal(() => each.hold(ann, 'sessions', 1)).code).toBe('LIMIT_EXCEEDED');
  });

  it('allow no request at a rate of 0', () => {
    const { clock, quotas: each } = quotas({ requestsPerSecond: 0 });
    for (const count of [1, 50]) expect(refusal(() => each.request(ann, count)).retryAfter).toBe(5);
    clock.advance(60_000);
    expect(refusal(() => each.request(ann)).message).toContain('requestsPerSecond is 0');
    expect(each.used('ann', 'requestsInFlight')).toBe(0);
  });

  it('allow a burst, and then the rate per second', () => {
    const { clock, quotas: each } = quotas({ requestsPerSecond: 2 });
    for (let n = 0; n < 10; n += 1) each.request(ann)();
    const refused = refusal(() => each.request(ann));
    expect(refused).toMatchObject({ retryAfter: 1, message: expect.stringContaining('requestsPerSecond is 2') });
    each.request(bob)();
    clock.advance(1000);
    each.request(ann)();
    each.request(ann)();
    expect(refusal(() => each.request(ann)).retryAfter).toBe(1);
    clock.advance(500);
    // A batch that is larger than the bucket needs a full one.
    expect(refusal(() => each.request(ann, 50)).retryAfter).toBe(5);
    expect(each.used('ann', 'requestsInFlight')).toBe(0);
  });

  it('count all requests of a batch, until it is answered', () => {
    const { clock, quotas: each } = quotas({ requestsInFlight: 5, streams: 4 });
    const answered = each.request(ann, 4);
    expect(refusal(() => each.request(ann, 2)).message).toContain('requestsInFlight is 5, of which 4 are in use');
    clock.advance(1000);
    expect([each.used('ann', 'requestsInFlight'), each.used('ann', 'streams')]).toEqual([0, 4]);
    answered();
    expect([each.used('ann', 'requestsInFlight'), each.used('ann', 'streams')]).toEqual([0, 0]);
  });

  it('count a long request as a stream, if the quota allows it', () => {
    const { clock, quotas: each } = quotas({ requestsInFlight: 2, streams: 3 });
    const waiting = [each.request(ann), each.request(ann)];
    expect(refusal(() => each.request(ann)).message).toContain('requestsInFlight is 2');
    clock.advance(1000);
    expect([each.used('ann', 'requestsInFlight'), each.used('ann', 'streams')]).toEqual([0, 2]);
    waiting.push(each.request(ann), each.request(ann));
    clock.advance(2000);
    expect([each.used('ann', 'requestsInFlight'), each.used('ann', 'streams')]).toEqual([1, 3]);
    expect(refusal(() => each.hold(ann, 'streams', 1)).message).toContain('streams is 3');
    for (const end of waiting) end();
    for (const end of waiting) end();
    expect([each.used('ann', 'requestsInFlight'), each.used('ann', 'streams')]).toEqual([0, 0]);
    clock.advance(5000);
    expect(clock.waiting).toBe(0);
  });
});
