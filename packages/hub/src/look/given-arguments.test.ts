import { describe, expect, it } from 'vitest';
import { givenPromptArguments, givenToolArguments } from './given-arguments.ts';

const schema = {
  type: 'object',
  properties: { subject: { type: 'string' }, limit: { type: 'integer' }, tags: { type: ['array', 'null'] }, any: {} },
};

describe('the arguments of a tool', () => {
  it.each([
    ['subject=42', { subject: '42' }],
    ['limit=42', { limit: 42 }],
    ['tags=["a"]', { tags: ['a'] }],
    ['any=42', { any: 42 }],
    ['any=forty', { any: 'forty' }],
    ['subject=a=b', { subject: 'a=b' }],
    ['subject=', { subject: '' }],
  ])('%s has the type of the schema', (pair, expected) => {
    expect(givenToolArguments({ pairs: [pair] }, schema)).toEqual(expected);
  });

  it('are JSON, which single arguments override', () => {
    const given = { json: '{"subject":"a","limit":1}', pairs: ['limit=2'] };
    expect(givenToolArguments(given, schema)).toEqual({ subject: 'a', limit: 2 });
  });

  it.each([
    [{ pairs: ['limit=many'] }, '--arg limit: "many" is not of the type integer. Write the value as JSON.'],
    [{ pairs: ['limt=2'] }, 'There is no argument "limt". Did you mean "limit"?'],
    [{ pairs: ['=2'] }, '--arg is name=value, not "=2".'],
    [{ json: '[1]', pairs: [] }, 'The arguments are not a JSON object.'],
    [{ json: '{', pairs: [] }, 'The arguments are not JSON:'],
  ])('are refused with advice: %j', (given, message) => {
    expect(() => givenToolArguments(given, schema)).toThrow(message);
  });

  it('may have any name if the schema has no properties', () => {
    expect(givenToolArguments({ pairs: ['x=1'] }, { type: 'object' })).toEqual({ x: 1 });
    expect(givenToolArguments({ pairs: ['x=1'] }, undefined)).toEqual({ x: 1 });
  });
});

describe('the arguments of a prompt', () => {
  it('are strings, also those that were given as JSON', () => {
    const given = { json: '{"keywords":["a"],"limit":3}', pairs: ['limit=4'] };
    expect(givenPromptArguments(given, [{ name: 'keywords', required: true }, { name: 'limit' }])).toEqual({
      keywords: '["a"]',
      limit: '4',
    });
  });

  it('have the names that the prompt lists', () => {
    expect(() => givenPromptArguments({ json: '{"keyword":"a"}', pairs: [] }, [{ name: 'keywords' }])).toThrow(
      'Did you mean "keywords"?',
    );
  });

  it('have those that the prompt requires', () => {
    const known = [{ name: 'about', required: true }, { name: 'since', required: true }, { name: 'limit' }];
    const given = (pairs: string[]) => () => givenPromptArguments({ pairs }, known);
    expect(given(['limit=1'])).toThrow('The prompt needs arguments: --arg about=… --arg since=…');
    expect(given(['about=x'])).toThrow('The prompt needs an argument: --arg since=…');
    expect(given(['about=x', 'since=y'])()).toEqual({ about: 'x', since: 'y' });
  });
});
