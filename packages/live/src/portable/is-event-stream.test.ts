import { expect, test } from 'vitest';
import { isEventStream } from './is-event-stream.ts';

test.each(['text/event-stream', 'Text/Event-Stream', ' text/event-stream ; charset=utf-8'])('a stream: %j', (type) => {
  expect(isEventStream(type)).toBe(true);
});

test.each([undefined, null, '', 'text/event-streams', 'application/json; a=text/event-stream'])(
  'no stream: %j',
  (type) => {
    expect(isEventStream(type)).toBe(false);
  },
);
