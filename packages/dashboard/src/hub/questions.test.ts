import { describe, expect, it } from 'vitest';
import { questionsIn } from './questions.ts';

const asking = (inputRequests: object, more: object = {}) => ({ resultType: 'input_required', inputRequests, ...more });
const form = { method: 'elicitation/create', params: { message: 'Which room?', requestedSchema: { type: 'object' } } };

describe('the questions in a result', () => {
  it.each([{ content: [] }, { resultType: 'complete' }, undefined, null, 'text'])('are undefined for %j', (result) => {
    expect(questionsIn(result)).toBeUndefined();
  });

  it('have a form or a page to visit, under their keys', () => {
    const visit = { method: 'elicitation/create', params: { message: 'Log in.', url: 'https://example.com' } };
    expect(questionsIn(asking({ room: form, login: visit }))?.questions).toEqual([
      { key: 'room', message: 'Which room?', schema: { type: 'object' }, url: undefined },
      { key: 'login', message: 'Log in.', schema: undefined, url: 'https://example.com' },
    ]);
  });

  it('come with the state of the server', () => {
    expect(questionsIn(asking({ room: form }, { requestState: 's1' }))?.requestState).toBe('s1');
    expect(questionsIn({ resultType: 'input_required', requestState: 's2' })).toEqual({
      questions: [],
      requestState: 's2',
    });
  });

  it('are refused if this page cannot answer them', () => {
    const sampling = asking({ x: { method: 'sampling/createMessage', params: {} } });
    expect(() => questionsIn(sampling)).toThrow('asks for sampling/createMessage');
    expect(() => questionsIn(asking({ x: { method: 'elicitation/create', params: {} } }))).toThrow();
  });
});
