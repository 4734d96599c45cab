import { describe, expect, it } from 'vitest';
import { offers, wantedIn } from './wanted-capability.ts';

describe('the capability that an error of a server asks for', () => {
  it.each([
    ['Client does not support form elicitation.', { elicitation: { form: {} } }],
    ['Client does not support url elicitation.', { elicitation: { url: {} } }],
    ['Client does not support elicitation (required for elicitation/create)', { elicitation: { form: {} } }],
    ['MCP error -32600: Elicitation not supported', { elicitation: { form: {} } }],
    ['Client does not support sampling (required for sampling/createMessage)', { sampling: {} }],
    ['Sampling not supported', { sampling: {} }],
    ['Client does not support listing roots (required for roots/list)', { roots: {} }],
    ['List roots not supported', { roots: {} }],
    ['MCP error -32601: This client does not support "roots/list".', { roots: {} }],
    [
      "Cannot request input 'x' (sampling/createMessage): the client on this 2025-era connection did not declare the required capability",
      { sampling: {} },
    ],
  ])('%s', (text, wanted) => {
    expect(wantedIn(text)).toEqual(wanted);
  });

  it.each([
    'The file does not exist.',
    'The root folder cannot be read.',
    'Sampling rate 48000 is too high.',
    'Client does not support tools.',
    `Client does not support sampling. ${'x'.repeat(2000)}`,
  ])('is not found in: %s', (text) => {
    expect(wantedIn(text)).toBeUndefined();
  });
});

describe('a client', () => {
  it('that declares elicitation alone can show forms', () => {
    expect(offers({ elicitation: {} }, { elicitation: { form: {} } })).toBe(true);
    expect(offers({ elicitation: {} }, { elicitation: { url: {} } })).toBe(false);
    expect(offers({ elicitation: { url: {} } }, { elicitation: { form: {} } })).toBe(false);
    expect(offers({ roots: {} }, { sampling: {} })).toBe(false);
    expect(offers({ roots: {} }, { roots: {} })).toBe(true);
  });
});
