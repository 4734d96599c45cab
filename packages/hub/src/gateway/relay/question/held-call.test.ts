import { getEventListeners } from 'node:events';
import { FakeClock } from '@tidings/live/testing';
import type { ServerQuestion } from '@tidings/track/internal';
import { describe, expect, it } from 'vitest';
import { HeldCall } from './held-call.ts';
import { OwnTask } from '../own-task.ts';

const question: ServerQuestion = {
  method: 'elicitation/create',
  params: { mode: 'form', message: 'Who?', requestedSchema: { type: 'object', properties: {} } },
};

function begun() {
  let finish: (result: string) => void = () => undefined;
  const call = new HeldCall<string>({
    clock: new FakeClock(),
    serverId: 'asking',
    stateOf: String,
    patienceMs: 60_000,
    done: () => undefined,
  });
  call.begin(new Promise((resolve) => (finish = resolve)));
  return { call, finish };
}

describe('a call with questions of its server', () => {
  it('forgets questions that the server has withdrawn', async () => {
    const { call } = begun();
    for (let n = 0; n < 20; n += 1) {
      const asking = new AbortController();
      const answer = call.ask(question, asking.signal);
      asking.abort();
      await expect(answer).rejects.toThrow('Cancelled.');
    }
    expect(getEventListeners(call.signal, 'abort')).toEqual([]);
  });

  it.each(['answered', 'refused'])('that becomes a task has its open questions %s through the task', async (how) => {
    const { call, finish } = begun();
    const answer = call.ask(question, new AbortController().signal);
    const task = new OwnTask(new FakeClock(), 60_000);
    call.handOver(task);
    finish('a task');
    if (how === 'answered') task.listen(async () => 'Ada');
    else task.end();
    if (how === 'answered') expect(await answer).toBe('Ada');
    else await expect(answer).rejects.toThrow('The task has ended.');
    expect([call.hasOpenQuestions, task.isAsking]).toEqual([false, false]);
  });

  it.each(['ends', 'has its result'])('refuses its open questions when it %s', async (how) => {
    const { call, finish } = begun();
    const asking = new AbortController();
    const answer = call.ask(question, asking.signal);
    expect(call.hasOpenQuestions).toBe(true);
    if (how === 'ends') call.end(new Error('The hub is shutting down.'));
    else finish('done');
    await expect(answer).rejects.toThrow('The call has ended.');
    expect([call.hasOpenQuestions, getEventListeners(asking.signal, 'abort')]).toEqual([false, []]);
  });
});
