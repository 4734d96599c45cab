import { describe, expect, it } from 'vitest';
import { argumentsFrom, defaultsOf, fieldsOf, valueIn } from './schema-fields.ts';

const schema = {
  type: 'object',
  properties: {
    subject: { type: 'string', description: 'What it is about' },
    limit: { type: 'integer' },
    open: { type: 'boolean' },
    order: { enum: ['asc', 'desc'] },
    tags: { type: 'object' },
    maybe: { type: ['string', 'null'] },
    odd: 7,
  },
  required: ['subject'],
};

describe('the fields of a schema', () => {
  it('are those that the page can show, required ones first', () => {
    const names = Array.from({ length: 100_000 }, (_, n) => `field ${n}`);
    const choices = Array.from({ length: 5000 }, (_, n) => `choice ${n}`);
    const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
    const fields = fieldsOf({ properties, required: names.slice(-50) });
    expect(fields).toHaveLength(200);
    expect(fields.slice(0, 50).every(({ isRequired }) => isRequired)).toBe(true);
    expect(fieldsOf({ properties: { one: { type: 'string', enum: choices } } })[0]?.kind).toBe('text');
  });

  it('have a kind, a title and whether they are required', () => {
    expect(fieldsOf(schema).map(({ name, kind, isRequired }) => [name, kind, isRequired])).toEqual([
      ['subject', 'text', true],
      ['limit', 'number', false],
      ['open', 'boolean', false],
      ['order', 'choice', false],
      ['tags', 'json', false],
      ['maybe', 'text', false],
      ['odd', 'json', false],
    ]);
  });

  it('have default values', () => {
    const properties = {
      count: { type: 'number', default: 3 },
      name: { type: 'string', default: 'x' },
      all: { default: [1] },
    };
    const defaults = fieldsOf({ properties: { ...properties, none: { type: 'string' } } }).map(
      ({ byDefault }) => byDefault,
    );
    expect(defaults).toEqual(['3', 'x', '[1]', '']);
  });

  it('have named choices, one or several', () => {
    const properties = {
      colour: { type: 'string', enum: ['r', 'g'], enumNames: ['Red', 'Green'] },
      size: { type: 'string', oneOf: [{ const: 's', title: 'Small' }, { const: 'l' }] },
      days: { type: 'array', items: { type: 'string', enum: ['mon', 'tue'] }, default: ['tue'] },
      parts: { type: 'array', items: { anyOf: [{ const: 'a', title: 'First' }] } },
      any: { type: 'array', items: { type: 'string' } },
    };
    const fields = fieldsOf({ properties });
    expect(fields.map(({ kind, choices }) => [kind, choices.map(({ label }) => label)])).toEqual([
      ['choice', ['Red', 'Green']],
      ['choice', ['Small', 'l']],
      ['choices', ['mon', 'tue']],
      ['choices', ['First']],
      ['json', []],
    ]);
    expect(argumentsFrom(fields, { ...defaultsOf(fields), colour: 'g', parts: '["a"]' })).toEqual({
      colour: 'g',
      days: ['tue'],
      parts: ['a'],
    });
  });

  it('have an input type for text of a known format', () => {
    const properties = { to: { type: 'string', format: 'email' }, on: { type: 'string', format: 'date' }, at: {} };
    expect(fieldsOf({ properties }).map(({ inputType }) => inputType)).toEqual(['email', 'date', 'text']);
  });

  it.each([undefined, null, 'text', {}, { properties: [] }, { properties: 7 }])(
    'are empty for the schema %j',
    (odd) => {
      expect(fieldsOf(odd)).toEqual([]);
    },
  );

  it('give arguments of the right types, without empty fields', () => {
    const filled = { subject: 'x', limit: '5', open: 'true', order: 'asc', tags: '{"a":1}', maybe: '' };
    expect(argumentsFrom(fieldsOf(schema), filled)).toEqual({
      subject: 'x',
      limit: 5,
      open: true,
      order: 'asc',
      tags: { a: 1 },
    });
  });

  it('are empty at first, also under names that every object inherits', () => {
    const fields = fieldsOf({ properties: { constructor: { type: 'string' }, toString: { type: 'number' } } });
    expect(argumentsFrom(fields, {})).toEqual({});
    expect(fields.map(({ name }) => valueIn({}, name))).toEqual(['', '']);
  });

  it('report which value cannot be parsed', () => {
    expect(() => argumentsFrom(fieldsOf(schema), { limit: 'many' })).toThrow('limit: write a number.');
    expect(() => argumentsFrom(fieldsOf(schema), { tags: 'a=1' })).toThrow('tags: write a value as JSON');
  });
});
