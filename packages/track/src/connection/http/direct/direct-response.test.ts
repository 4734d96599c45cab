import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DirectResponse, type PlainAnswer } from './direct-response.ts';

const result = { contents: [{ uri: 'note://São 😀', text: 'a\nb' }] };
const answer = { jsonrpc: '2.0', id: 1, result };
const notification = { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'é' } };

/** Whether the body was read here, the answer and the other messages in it. */
function read(type: string, chunks: readonly Buffer[]) {
  const answers: PlainAnswer[] = [];
  const others: unknown[] = [];
  const response = new DirectResponse(
    { statusCode: 200, headers: { 'content-type': type } },
    { id: 1, mostBytes: 10_000, answered: (each) => answers.push(each), receive: (each) => others.push(each) },
  );
  const isRead = chunks.every((chunk) => response.push(chunk)) && response.end();
  return { isRead, answers, others };
}

function cut(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const places = [0, ...cuts.map((each) => each % bytes.length).toSorted((a, b) => a - b), bytes.length];
  return places.slice(1).map((end, index) => bytes.subarray(places[index], end));
}

const cuts = fc.array(fc.nat(), { maxLength: 20 });

describe('an answer', () => {
  it('is read from an event stream with any line ends, however it is divided', () => {
    fc.assert(
      fc.property(fc.constantFrom('\n', '\r', '\r\n'), cuts, (end, at) => {
        const events = [`: hi`, '', 'id: 1', '', `data: ${JSON.stringify(notification)}`, '', 'event: message'];
        const body = [...events, 'id: 2', `data: ${JSON.stringify(answer)}`, '', ''].join(end);
        const chunks = cut(Buffer.from(body), at);
        expect(read('text/event-stream', chunks)).toEqual({ isRead: true, answers: [answer], others: [notification] });
      }),
      { numRuns: 50 },
    );
  });

  it('is read from an event stream that begins with a byte order mark, with all messages in it', () => {
    const body = `\ufeffdata: ${JSON.stringify(notification)}\n\ndata: ${JSON.stringify(answer)}\n\n`;
    expect(read('text/event-stream', [Buffer.from(body)])).toMatchObject({ answers: [answer], others: [notification] });
  });

  it('is read from an event stream with events of other types, which the SDK ignores', () => {
    const others = ['ping', 'error', ' message'].map((type) => `event: ${type}\ndata: no JSON\n\n`);
    const body = `${others.join('')}event: x\nevent\ndata: ${JSON.stringify(answer)}\n\n`;
    expect(read('text/event-stream', [Buffer.from(body)])).toEqual({ isRead: true, answers: [answer], others: [] });
  });

  it('is read from JSON, however it is divided', () => {
    fc.assert(
      fc.property(cuts, (at) => {
        const chunks = cut(Buffer.from(JSON.stringify(answer)), at);
        expect(read('application/json; charset=utf-8', chunks)).toEqual({
          isRead: true,
          answers: [answer],
          others: [],
        });
      }),
      { numRuns: 50 },
    );
  });

  it.each([
    ['is no JSON', 'data: {\n\n'],
    ['is incomplete', `data: ${JSON.stringify(answer)}\n`],
    ['is of another request', `data: ${JSON.stringify({ ...answer, id: 2 })}\n\n`],
    ['is too long', `data: ${JSON.stringify({ ...answer, result: { text: 'x'.repeat(10_000) } })}\n\n`],
    ['comes in too many parts', `${': comment\n'.repeat(33)}\n`],
  ])('that %s is left to the SDK', (_, body) => {
    const chunks = body.split(/(?<=comment\n)/).map((part) => Buffer.from(part));
    expect(read('text/event-stream', chunks)).toMatchObject({ isRead: false, answers: [] });
  });
});
