import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../model/json.ts';
import {
  changedTopics,
  documentTopics,
  entryTopics,
  ofType,
  typeTopics,
  typesOf,
  uuidsIn,
  wholeTopic,
} from './topics.ts';

const uuid = '123e4567-e89b-42d3-a456-426614174000';
const changes = (before: JsonObject, after: JsonObject) =>
  changedTopics(uuid, before, after).map((topic) => topic.slice(wholeTopic(uuid).length + 1));
const analysis = (...types: Json[]): JsonObject => ({ analysis: types.map((type) => ({ type, body: 'old' })) });

describe('a write announces', () => {
  it.each<[what: string, before: JsonObject, after: JsonObject, topics: string[]]>([
    ['nothing if nothing differs', analysis('summary'), analysis('summary'), []],
    ['nothing for another order of fields', { analysis: [{ a: 1, b: 2 }] }, { analysis: [{ b: 2, a: 1 }] }, []],
    ['nothing for a list that is empty instead of missing', {}, { dialog: [] }, []],
    ['the head', { subject: 'a' }, { subject: 'b' }, ['head']],
    ['the head for a field named as members of every object', {}, { constructor: 'x' }, ['head']],
    ['an added entry', analysis('a'), analysis('a', 'b'), ['analysis', 'analysis:1', 'analysis:type:b']],
    ['a removed entry', analysis('a', 'b'), analysis('a'), ['analysis', 'analysis:1', 'analysis:type:b']],
    [
      'entries that moved, but not their types',
      analysis('a', 'b'),
      analysis('b', 'a'),
      ['analysis', 'analysis:0', 'analysis:1'],
    ],
    [
      'both types of an entry that got another one',
      analysis('a'),
      analysis('b'),
      ['analysis', 'analysis:0', 'analysis:type:a', 'analysis:type:b'],
    ],
    ['an entry without a type', analysis(7), analysis(null), ['analysis', 'analysis:0']],
    ['an entry that is not an object', { parties: ['x'] }, { parties: [null] }, ['parties', 'parties:0']],
    ['only the list that is not a list', { dialog: 'x' }, { dialog: 7 }, ['dialog']],
    [
      'a type named as members of every object',
      {},
      analysis('__proto__', 'constructor'),
      ['analysis', 'analysis:0', 'analysis:1', 'analysis:type:__proto__', 'analysis:type:constructor'],
    ],
    [
      'an attachment by type and by purpose',
      {},
      { attachments: [{ type: 'a', purpose: 'b' }] },
      ['attachments', 'attachments:0', 'attachments:type:a', 'attachments:type:b'],
    ],
    [
      'the tags',
      {},
      { attachments: [{ type: 'tags', body: ['a:b'] }] },
      ['attachments', 'attachments:0', 'attachments:type:tags', 'tags'],
    ],
    [
      'tags that are gone',
      { attachments: [{ purpose: 'tags', body: ['a:b'] }] },
      {},
      ['attachments', 'attachments:0', 'attachments:type:tags', 'tags'],
    ],
    [
      'an attachment that has the same tags as before',
      { attachments: [{ type: 'tags', body: ['a:b'] }] },
      { attachments: [{ type: 'tags', body: ['a:b'], party: 0 }] },
      ['attachments', 'attachments:0', 'attachments:type:tags'],
    ],
  ])('%s', (_, before, after, topics) => {
    expect(changes(before, after)).toEqual(topics);
  });

  it.each([
    [50, 101],
    [51, 3],
  ])('%i changed entries of as many types under %i topics', (count, topics) => {
    const types = Array.from({ length: count }, (_, index) => `t${index}`);
    const found = changes({}, analysis(...types));
    expect(found).toHaveLength(topics);
    if (count > 50) expect(found).toEqual(['analysis', 'analysis:entries', 'analysis:types']);
  });

  it('changes of many types with a few looks at each entry', () => {
    let looks = 0;
    const entries = (body: string) =>
      Array.from({ length: 300 }, (_, index) => ({
        get type() {
          looks += 1;
          return `t${index}`;
        },
        body,
      }));
    expect(changes({ analysis: entries('old') }, { analysis: entries('new') })).toContain('analysis:types');
    expect(looks).toBeLessThan(600 * 20);
  });
});

it('reaches every resource of the document, entry and type that changed', () => {
  const few = changedTopics(uuid, {}, analysis('a'));
  const many = changedTopics(uuid, {}, analysis(...Array.from({ length: 51 }, (_, index) => `t${index}`)));
  const reaches = (dependencies: readonly string[], topics: readonly string[]) =>
    dependencies.some((topic) => topics.includes(topic));
  expect(reaches(documentTopics(uuid), changedTopics(uuid, {}, { subject: 'x' }))).toBe(true);
  for (const topics of [few, many]) {
    expect(reaches(documentTopics(uuid), topics)).toBe(true);
    expect(reaches(entryTopics(uuid, 'analysis', 0), topics)).toBe(true);
    expect(reaches(entryTopics(uuid, 'parties', 0), topics)).toBe(false);
    expect(reaches(typeTopics(uuid, 'dialog', 'a'), topics)).toBe(false);
  }
  expect(reaches(typeTopics(uuid, 'analysis', 'a'), few)).toBe(true);
  expect(reaches(typeTopics(uuid, 'analysis', 't50'), many)).toBe(true);
  expect(reaches(entryTopics(uuid, 'analysis', 1), few)).toBe(false);
});

it.each<[topic: string, uuids: string[]]>([
  [`vcon:${uuid}`, [uuid]],
  [`vcon:${uuid}:analysis:type:vcon:x`, [uuid]],
  ['vcons', []],
  ['vcons:rank:3', []],
  [`vcon:${uuid}0`, []],
  [`xvcon:${uuid}`, []],
  [`vcon:${uuid.toUpperCase()}`, []],
  ['', []],
])('finds in the topic "%s" the vCons %j', (topic, uuids) => {
  expect([...uuidsIn([topic])]).toEqual(uuids);
});

it('finds entries of a type by type and by purpose', () => {
  const entries: Json[] = [
    { type: 'a' },
    { purpose: 'a' },
    { type: 'b', purpose: 'a' },
    { type: 'A' },
    'a',
    null,
    ['a'],
  ];
  expect(ofType(entries, 'a')).toEqual(entries.slice(0, 3));
  expect(ofType(entries, 'constructor')).toEqual([]);
  expect(typesOf({ type: 1, purpose: null })).toEqual([]);
});
