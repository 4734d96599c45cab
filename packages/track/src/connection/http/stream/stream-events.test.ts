import { eventFrames } from '@tidings/client';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { streamEvents } from './stream-events.ts';

const line = fc.constantFrom(
  'data: {"a":1}',
  'data:x',
  'data',
  'data:',
  'data:  two spaces',
  'database: x',
  'event: message',
  'id: 1',
  'retry: 5',
  ': comment',
  'x',
  '',
);

it('finds the data of all events, as the parser of the clients does', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 20 }), async (lines) => {
      const text = `${[...lines, '', ''].join('\n')}\n`;
      const frames = [];
      for await (const { data } of eventFrames(new Blob([text]).stream())) frames.push(data);
      expect(streamEvents(text).flatMap(({ data }) => data ?? [])).toEqual(frames);
    }),
  );
});

it.each([
  ['data: 1', true],
  ['event: message\ndata: 1', true],
  ['event:message\ndata:1', true],
  ['event: other\ndata: 1', false],
  ['event: messages\ndata: 1', false],
  ['id: 7\ndata: 1', false],
  [': comment\ndata: 1', false],
  ['data: 1\ndata: 2', false],
  ['data: 1\nid: 7', false],
])('of the events %j, whether it is plain: %s', (event, isPlain) => {
  expect(streamEvents(`${event}\n\n`)).toMatchObject([{ isPlain }]);
});

it.each([
  ['event: message', true],
  ['event:', true],
  ['event', true],
  ['event: other\nevent: message', true],
  ['event: other', false],
  ['event:  message', false],
  ['event: message\nevent: other', false],
  ['events: other', true],
])('of an event with %j, whether it is a message: %s', (fields, isMessage) => {
  expect(streamEvents(`data: 1\n${fields}\n\n`)).toMatchObject([{ isMessage }]);
});

it('reports events without data', () => {
  expect(streamEvents('id: 7\n\n\n: comment\n\n')).toEqual([
    { data: undefined, isMessage: true, isPlain: false },
    { data: undefined, isMessage: true, isPlain: false },
  ]);
});
