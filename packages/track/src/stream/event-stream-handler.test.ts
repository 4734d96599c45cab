import type { TrackerEvent } from '@tidings/client/contract';
import { eventLoopTurn, systemClock } from '@tidings/live/time';
import { expect, it, onTestFinished } from 'vitest';
import { EventStreamHandler } from './event-stream-handler.ts';
import { serveEvents } from './serve-events.ts';

it('readers that get missed events let other events be handled', async () => {
  let [now, inThisTurn, mostInOneTurn] = [0, 0, 0];
  const end = 3000;
  /** Each takes a millisecond. */
  const at = (position: number) => {
    now += 1;
    if (inThisTurn === 0) void eventLoopTurn().then(() => (inThisTurn = 0));
    inThisTurn += 1;
    mostInOneTurn = Math.max(mostInOneTurn, inThisTurn);
    const event: TrackerEvent = {
      type: 'resource_update',
      serverId: 'a',
      resourceUri: `x://${position}`,
      timestamp: new Date(0).toISOString(),
    };
    return { cursor: `c${position}`, event, json: JSON.stringify({ position }) };
  };
  const journal = { start: 0, end, cursor: `c${end}`, at, follow: () => () => undefined, positionAfter: () => 0 };
  const clock = { ...systemClock, now: () => now };
  const events = new EventStreamHandler({ journal, clock, heartbeatMs: 60_000, maxReaders: 10 });
  const { url, close } = await serveEvents(events);
  onTestFinished(close);
  const read = async (pattern: string) => {
    const { body } = await fetch(`${url}?after=c0&uri=${encodeURIComponent(pattern)}`);
    let text = '';
    for await (const chunk of body ?? []) {
      text += Buffer.from(chunk).toString();
      if (text.includes(`"position":${end - 1}}`))
        return [...text.matchAll(/"position":(\d+)/g)].map(([, position]) => position);
    }
    return [];
  };
  const found = await Promise.all([read('x://**'), read(`x://${end - 1}`), read('x://*99')]);
  expect(found.map(({ length }) => length)).toEqual([end, 1, 30]);
  expect(mostInOneTurn).toBeLessThan(1000);
});
