import { FakeClock } from '@tidings/live/testing';
import { expect, it } from 'vitest';
import { OpenRequests } from './open-requests.ts';

function setting() {
  const clock = new FakeClock();
  const open = new OpenRequests(clock, 3000);
  const send = (id: number, method: string) => open.sent({ jsonrpc: '2.0', id, method });
  const idsOf = (messages: readonly object[]) => messages.map((message) => ('id' in message ? message.id : undefined));
  return { clock, open, send, idsOf };
}

it('repeats, once, a request that waits while a later one is answered', () => {
  const { clock, open, send, idsOf } = setting();
  send(1, 'resources/read');
  send(2, 'tools/call');
  clock.advance(2000);
  send(3, 'ping');
  expect(idsOf(open.overtakenBy(3))).toEqual([]);
  open.close(3);
  clock.advance(2000);
  send(4, 'ping');
  expect(idsOf(open.overtakenBy(4))).toEqual([1]);
  open.close(4);
  clock.advance(2000);
  send(5, 'ping');
  expect(idsOf(open.overtakenBy(5))).toEqual([]);
  expect(open.close(1)).toBe(true);
  expect(open.close(1)).toBe(false);
});

it('does not repeat requests sent after the answered one, or cancelled', () => {
  const { clock, open, send, idsOf } = setting();
  send(1, 'resources/read');
  send(2, 'resources/read');
  send(3, 'resources/read');
  open.sent({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2 } });
  clock.advance(10_000);
  expect(idsOf(open.overtakenBy(1))).toEqual([]);
  expect(idsOf(open.all())).toEqual([1, 3]);
});
