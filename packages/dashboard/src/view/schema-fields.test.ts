import { describe, expect, it } from 'vitest';
import { argumentsFrom, fieldsOf } from './schema-fields.ts';

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

  it('have what applies where nothing is given', () => {
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

  it.each([undefined, null, 'text', {}, { properties: [] }, { properties: 7 }])('are none in %j', (odd) => {
    expect(fieldsOf(odd)).toEqual([]);
  });

  it('give arguments of their types, without those left empty', () => {
    const filled = { subject: 'x', limit: '5', open: 'true', order: 'asc', tags: '{"a":1}', maybe: '' };
    expect(argumentsFrom(fieldsOf(schema), filled)).toEqual({
      subject: 'x',
      limit: 5,
      open: true,
      order: 'asc',
      tags: { a: 1 },
    });
  });

  it('say which of them cannot be read', () => {
    expect(() => argumentsFrom(fieldsOf(schema), { limit: 'many' })).toThrow('limit: write a number.');
    expect(() => argumentsFrom(fieldsOf(schema), { tags: 'a=1' })).toThrow('tags: write a value as JSON');
  });
});
