import { systemClock } from '@tidings/live';
import type { TrackerEvent } from '@tidings/client/contract';
import { emptyCatalog } from '@tidings/track/internal';
import { describe, expect, it } from 'vitest';
import { Grant, type Terms } from './grant.ts';
import { permissionsBy } from './permissions.ts';
import { seenBy } from './visible-event.ts';

const timestamp = '2026-01-01T00:00:00.000Z';
const permissionsOf = permissionsBy(
  (id) => (id === 'notes' ? { catalog: emptyCatalog, redacts: true } : undefined),
  systemClock,
);
const seen = (terms: Terms, event: TrackerEvent) =>
  seenBy(permissionsOf({ auth: { subject: 'x', grant: new Grant(terms) } }), event);

const on = { serverId: 'notes', timestamp };
const update = { ...on, type: 'resource_update', resourceUri: 'note://a' } as const satisfies TrackerEvent;
const list = {
  ...on,
  type: 'list_changed',
  added: ['note://a', 'note://b'],
  removed: ['note://c'],
} as const satisfies TrackerEvent;
const failure = { ...on, type: 'resource_error', reason: 'read', error: 'x' } as const satisfies TrackerEvent;
const state = {
  ...on,
  type: 'server_state',
  state: 'backoff',
  detail: 'node /secret/path',
} as const satisfies TrackerEvent;
const tool = {
  ...on,
  type: 'definition_changed',
  kind: 'tool',
  name: 'add',
  held: false,
  changes: [],
} as const satisfies TrackerEvent;
const prompt = { ...tool, kind: 'prompt', name: 'ask' } as const satisfies TrackerEvent;
const instructions = { ...tool, kind: 'instructions', name: '' } as const satisfies TrackerEvent;
const gap = { type: 'gap', timestamp } as const satisfies TrackerEvent;
const all: TrackerEvent[] = [
  update,
  list,
  failure,
  state,
  tool,
  prompt,
  instructions,
  gap,
  { ...gap, serverId: 'notes' },
];

const other: Terms = { servers: ['other'] };
const one: Terms = { allow: ['note://a'] };

describe('an event', () => {
  it('is seen in full by a caller without limits', () => {
    for (const event of all) expect(seen({}, event)).toBe(event);
  });

  it('of a hidden server is not seen, except a gap of all servers', () => {
    expect(all.filter((event) => seen(other, event) !== undefined)).toEqual([gap]);
  });

  it.each<[what: string, terms: Terms, event: TrackerEvent, isSeen: boolean]>([
    ['an update of an allowed resource', one, update, true],
    ['an update of another resource', one, { ...update, resourceUri: 'note://b' }, false],
    ['an update by server', { servers: ['notes'] }, update, true],
    ['an error of an allowed resource', one, { ...failure, resourceUri: 'note://a' }, true],
    ['an error of another resource', one, { ...failure, resourceUri: 'note://b' }, false],
    ['an error of the whole server, for a part of its resources', one, failure, false],
    ['an error of the whole server, for all its resources', { servers: ['notes'] }, failure, true],
    ['a tool by name', { tools: ['notes_add'] }, tool, true],
    ['a tool of another name', { tools: ['notes_drop'] }, tool, false],
    ['a tool, with a redaction, since it may write', { tools: ['notes_add'], redact: 'strict' }, tool, false],
    ['a prompt by name', { prompts: ['notes_ask'] }, prompt, true],
    ['a prompt of another name', { prompts: ['notes_add'] }, prompt, false],
    ['a tool that has the name of a prompt', { tools: [], prompts: ['notes_add'] }, tool, false],
    ['the instructions, which may describe everything', { servers: ['notes'] }, instructions, false],
    ['the definition of the server', { servers: ['notes'] }, { ...instructions, kind: 'server' }, false],
    ['a gap of a server', { servers: ['notes'] }, { ...gap, serverId: 'notes' }, true],
    ['a gap of all servers', one, gap, true],
  ])('is seen: %s', (_, terms, event, isSeen) => {
    expect(seen(terms, event)).toBe(isSeen ? event : undefined);
  });

  it('of a list names allowed resources only', () => {
    expect(seen(one, list)).toEqual({ ...list, added: ['note://a'], removed: [] });
    expect(seen({ allow: ['note://c'] }, list)).toEqual({ ...list, added: [], removed: ['note://c'] });
    expect(seen({ allow: ['note://d'] }, list)).toBeUndefined();
    expect(seen({ servers: ['notes'] }, { ...list, added: [], removed: [] })).toBeUndefined();
    expect(list.added).toHaveLength(2);
  });

  it('of the state of a server has no reason, which may name commands and addresses', () => {
    const { detail: _, ...rest } = state;
    expect(seen({ servers: ['notes'] }, state)).toEqual(rest);
    expect(seen({ servers: ['notes'] }, state)).not.toHaveProperty('detail');
  });

  it('that is for the operator is not seen by users, even without limits', () => {
    const operator = permissionsOf({ auth: undefined });
    for (const event of all) {
      const hidden = { ...event, operatorOnly: true as const };
      expect(seenBy(operator, hidden)).toBe(hidden);
      expect(seen({}, hidden)).toBeUndefined();
    }
  });
});
