import { inputRequired } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { withNamedQuestions } from './named-questions.ts';

const elicit = inputRequired.elicit({ message: 'Who?', requestedSchema: { type: 'object', properties: {} } });
const asked = inputRequired({ inputRequests: { who: elicit, where: inputRequired.listRoots() }, requestState: 's' });

describe('withNamedQuestions', () => {
  it('adds the names for a 2025-era client, beside other metadata', () => {
    expect(withNamedQuestions(asked, { era: 'legacy', transport: 'http' })).toMatchObject({
      requestState: 's',
      inputRequests: {
        who: { method: 'elicitation/create', params: { message: 'Who?', _meta: { 'tidings/question': 'who' } } },
        where: { method: 'roots/list', params: { _meta: { 'tidings/question': 'where' } } },
      },
    });
  });

  it('does not change other results, or results for modern clients', () => {
    expect(withNamedQuestions(asked, { era: 'modern', transport: 'http' })).toBe(asked);
    const result = { content: [] };
    expect(withNamedQuestions(result, { era: 'legacy', transport: 'http' })).toBe(result);
  });
});
