import { describe, expect, it } from 'vitest';
import { namedQuestion } from './named-question.ts';

const named = (name: unknown) =>
  namedQuestion({ method: 'roots/list', params: { _meta: { 'tidings/question': name, other: 1 } } });

describe('namedQuestion', () => {
  it('takes the name out of the question and leaves the rest', () => {
    expect(named('client_roots')).toEqual({
      name: 'client_roots',
      question: { method: 'roots/list', params: { _meta: { other: 1 } } },
    });
    const form = { message: 'Who?', requestedSchema: { type: 'object' as const, properties: {} } };
    const asked = namedQuestion({
      method: 'elicitation/create',
      params: { ...form, _meta: { 'tidings/question': 'who' } },
    });
    expect(asked).toEqual({ name: 'who', question: { method: 'elicitation/create', params: form } });
  });

  it.each([[7], [''], ['__proto__'], ['a'.repeat(101)], ['new\nline']])('does not accept the name %j', (name) => {
    expect(named(name).name).toBeUndefined();
  });

  it('does not change a question without a name', () => {
    const question = { method: 'roots/list' as const };
    expect(namedQuestion(question).question).toBe(question);
  });
});
