import { getEventListeners } from 'node:events';
import { RELATED_TASK_META_KEY } from '@modelcontextprotocol/client';
import { FakeClock } from '@tidings/live/testing';
import { eventLoopTurn } from '@tidings/live/time';
import type { ServerQuestion } from '@tidings/track/internal';
import { describe, expect, it } from 'vitest';
import { OwnTask, type PutQuestion, relatedTask } from './own-task.ts';

const question: ServerQuestion = {
  method: 'elicitation/create',
  params: { mode: 'form', message: 'Who?', requestedSchema: { type: 'object', properties: {} } },
};
const patienceMs = 60_000;
const waiting = () => new AbortController().signal;

/** A client that is asked, and answers when the test wants it. */
function client() {
  const asked: { answer(this: void, response: unknown): void; signal: AbortSignal }[] = [];
  const put: PutQuestion = (_, signal) =>
    new Promise((resolve, reject) => {
      asked.push({ answer: resolve, signal });
      signal.addEventListener('abort', () => reject(new Error('The request has ended.')), { once: true });
    });
  return { put, asked };
}

function task() {
  const clock = new FakeClock();
  return { clock, task: new OwnTask(clock, patienceMs) };
}

describe('a question of a task', () => {
  it('waits until its client asks for the result', async () => {
    const { task: own } = task();
    const { put, asked } = client();
    const answer = own.ask(question, waiting());
    expect([own.isAsking, asked.length]).toEqual([true, 0]);
    own.listen(put);
    asked[0]?.answer('Ada');
    expect(await answer).toBe('Ada');
    expect(own.isAsking).toBe(false);
  });

  it('is sent at once if its client waits already, and only to one request', async () => {
    const { task: own } = task();
    const [first, second] = [client(), client()];
    own.listen(first.put);
    own.listen(second.put);
    const answer = own.ask(question, waiting());
    expect([first.asked.length, second.asked.length]).toEqual([1, 0]);
    first.asked[0]?.answer(null);
    expect(await answer).toBeNull();
  });

  it.each(['another that waits', 'a later one'])(
    'is sent again on %s if its client leaves the request',
    async (which) => {
      const { task: own } = task();
      const [left, next] = [client(), client()];
      const leave = own.listen(left.put);
      if (which === 'another that waits') own.listen(next.put);
      const answer = own.ask(question, waiting());
      leave();
      await eventLoopTurn();
      if (which === 'a later one') own.listen(next.put);
      expect(left.asked[0]?.signal.aborted).toBe(true);
      expect(next.asked).toHaveLength(1);
      next.asked[0]?.answer('Ada');
      expect(await answer).toBe('Ada');
    },
  );

  it('is refused if its client refuses it', async () => {
    const { task: own } = task();
    own.listen(() => Promise.reject(new Error('No.')));
    await expect(own.ask(question, waiting())).rejects.toThrow('No.');
    expect(own.isAsking).toBe(false);
  });

  it('is refused at the end of its patience, and withdrawn from the client', async () => {
    const { task: own, clock } = task();
    const { put, asked } = client();
    own.listen(put);
    const answer = own.ask(question, waiting());
    answer.catch(() => undefined);
    clock.advance(patienceMs - 1);
    expect(own.isAsking).toBe(true);
    clock.advance(1);
    await expect(answer).rejects.toThrow('There was no answer within 60 s');
    expect(asked[0]?.signal.aborted).toBe(true);
  });

  it.each(['before', 'after'])('is withdrawn if the server cancels it %s it was sent', async (when) => {
    const { task: own } = task();
    const { put, asked } = client();
    own.listen(put);
    const cancelled = new AbortController();
    if (when === 'before') cancelled.abort();
    const answer = own.ask(question, cancelled.signal);
    if (when === 'after') cancelled.abort();
    await expect(answer).rejects.toThrow('Cancelled.');
    expect(asked.map(({ signal }) => signal.aborted)).toEqual(when === 'before' ? [] : [true]);
    expect(getEventListeners(cancelled.signal, 'abort')).toEqual([]);
  });

  it('is refused when the task ends, and afterwards', async () => {
    const { task: own } = task();
    const answers = [own.ask(question, waiting()), own.ask(question, waiting())];
    own.end();
    for (const answer of answers) await expect(answer).rejects.toThrow('The task has ended.');
    expect(() => own.ask(question, waiting())).toThrow('The task that this belonged to has ended.');
    expect(own.isAsking).toBe(false);
  });

  it('is refused if 16 others wait', () => {
    const { task: own } = task();
    for (let n = 0; n < 16; n += 1) own.ask(question, waiting()).catch(() => undefined);
    expect(() => own.ask(question, waiting())).toThrow('16 questions');
    own.end();
  });
});

describe('a task', () => {
  it('is kept from the first time on, and until the last', async () => {
    const { task: own, clock } = task();
    const over: string[] = [];
    expect(own.isKept).toBe(false);
    own.keep(1000, () => over.push('first'));
    own.keep(5000, () => over.push('second'));
    expect(own.isKept).toBe(true);
    clock.advance(4999);
    expect(over).toEqual([]);
    clock.advance(1);
    expect(over).toEqual(['second']);
  });

  it('that has ended is not kept any longer', async () => {
    const { task: own, clock } = task();
    const over: string[] = [];
    own.keep(1000, () => over.push('over'));
    own.end();
    clock.advance(1000);
    expect(over).toEqual([]);
  });
});

it.each<[meta: unknown, id: string | undefined]>([
  [{ [RELATED_TASK_META_KEY]: { taskId: 'a' } }, 'a'],
  [{ [RELATED_TASK_META_KEY]: { taskId: '', more: 1 }, more: 1 }, ''],
  [{ [RELATED_TASK_META_KEY]: { taskId: 7 } }, undefined],
  [{ [RELATED_TASK_META_KEY]: null }, undefined],
  [{}, undefined],
  [null, undefined],
  [[], undefined],
])('a question with _meta %j names the task %j', (meta, id) => {
  const asked: ServerQuestion = { ...question };
  Object.assign(asked, { params: { ...question.params, _meta: meta } });
  expect(relatedTask(asked)).toBe(id);
  expect(relatedTask(question)).toBeUndefined();
});
