import { describe, expect, it } from 'vitest';
import { sharedPrincipal } from './distinct-principals.ts';
import { Tokens } from './tokens.ts';

const env = { A: 'one', B: 'two', COPY_OF_A: 'one', COPY_OF_WHOLE: 'whole', token: 'x', everybody: 'y' };
const problemOf = (...names: string[]) =>
  sharedPrincipal({ whole: 'whole', tokens: names.map((name) => ({ env: name })), env });

describe('principals', () => {
  it('have unique names and secrets', () => {
    expect(problemOf('A', 'B')).toBeUndefined();
    // An entry without a value is not a principal.
    expect(problemOf('MISSING', 'MISSING_TOO')).toBeUndefined();
  });

  it.each(['token', 'everybody', 'another node', 'https://id.example.com#ada'])('cannot have the name "%s"', (name) => {
    expect(problemOf('A', name)).toMatchObject({ index: 1, problem: expect.stringContaining(`"${name}" means other`) });
  });

  it('do not share a variable or a value', () => {
    expect(problemOf('A', 'B', 'A')).toMatchObject({ index: 2, problem: expect.stringContaining('the variable A') });
    expect(problemOf('A', 'COPY_OF_A')).toMatchObject({
      index: 1,
      problem: expect.stringContaining('COPY_OF_A and A'),
    });
    expect(problemOf('COPY_OF_WHOLE')).toMatchObject({ problem: expect.stringContaining('TIDINGS_TOKEN') });
  });

  it.each(['token', 'COPY_OF_WHOLE'])('are refused for the entry %s', (name) => {
    const make = () => new Tokens({ whole: 'whole', config: { tokens: [{ env: name, allow: [] }] }, env });
    expect(make).toThrow(/^tokens\[0\]: env: /);
  });
});
