import { FakeClock } from '@tidings/live/testing';
import { describe, expect, it } from 'vitest';
import type { News } from './news.ts';
import { RejectedMessages } from './rejected-messages.ts';
import { refusedEvent } from './refused-event.ts';

const news = (resourceUri: string): News => ({ type: 'resource_update', serverId: 's', resourceUri, timestamp: '' });

function rejectedMessages() {
  const clock = new FakeClock();
  const again: string[] = [];
  const given: string[] = [];
  const uri = (each: News) => (each.type === 'gap' ? 'gap' : each.resourceUri);
  const under = new RejectedMessages({
    clock,
    again: (due) => void again.push(...due.map(uri)),
    giveUp: (lost, reason) => void given.push(...lost.map((each) => `${uri(each)}: ${reason}`)),
  });
  return { clock, again, given, under };
}

describe('a rejected message', () => {
  it('is sent again after growing pauses, and dropped with the reason after the last one', () => {
    const { clock, again, given, under } = rejectedMessages();
    for (const [tries, pause] of [1000, 5000, 25_000].entries()) {
      under.sent(String(tries), [news('a')]);
      expect(under.rejected(String(tries), 'no')).toBe(true);
      clock.advance(pause - 1);
      expect(again).toHaveLength(tries);
      clock.advance(1);
      expect(again).toHaveLength(tries + 1);
    }
    under.sent('last', [news('a')]);
    under.rejected('last', 'still no');
    clock.advance(3_600_000);
    expect(again).toHaveLength(3);
    expect(given).toEqual(['a: still no']);
  });

  it('starts its count again after a while without rejections', () => {
    const { clock, again, given, under } = rejectedMessages();
    for (let n = 0; n < 10; n += 1) {
      under.sent(String(n), [news('a')]);
      under.rejected(String(n), 'no');
      clock.advance(6 * 60_000);
    }
    expect([again.length, given.length]).toEqual([10, 0]);
  });

  it('is not sent again after a later message', () => {
    const { clock, again, under } = rejectedMessages();
    under.sent('1', [news('a'), news('b')]);
    under.rejected('1', 'no');
    under.sent('2', [news('a')]);
    clock.advance(60_000);
    expect(again).toEqual(['b']);
  });

  it('is not affected by rejections of other senders, or of long ago', () => {
    const { under } = rejectedMessages();
    expect(under.rejected('another', 'no')).toBe(false);
    for (let n = 0; n < 600; n += 1) under.sent(String(n), [news(`r${n}`)]);
    expect([under.rejected('0', 'no'), under.rejected('599', 'no')]).toEqual([false, true]);
  });

  it('can be taken over by a caller that sends it in another way', () => {
    const { clock, again, under } = rejectedMessages();
    const both = [news('a'), news('b')];
    under.sent('1', both);
    under.rejected('1', 'no');
    expect(under.waiting).toBe(1);
    expect(under.takeDue()).toEqual(both);
    expect(under.waiting).toBe(0);
    clock.advance(60_000);
    expect(again).toEqual([]);
  });
});

describe('the error of a rejection', () => {
  it('names the rejected event, with the reason in one short line', () => {
    const error = {
      type: 'error',
      error: { type: 'error', event_id: 'x', error: { event_id: 'e1', message: 'a\nb' } },
    };
    expect(refusedEvent(error)).toEqual({ eventId: 'e1', reason: 'a b' });
    const long = { error: { error: { event_id: 'e1', message: 'x'.repeat(1000) } } };
    expect(refusedEvent(long)?.reason).toHaveLength(200);
    expect(refusedEvent({ error: { error: { event_id: 'e1' } } })?.reason).toBe('it does not say why');
  });

  it('may concern another request', () => {
    for (const other of [undefined, new Error('x'), { error: { error: { event_id: null } } }, { error: 'x' }]) {
      expect(refusedEvent(other)).toBe(undefined);
    }
  });
});
