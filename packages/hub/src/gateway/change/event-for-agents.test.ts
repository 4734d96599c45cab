import { expect, it } from 'vitest';
import { eventForAgents } from './event-for-agents.ts';

const at = { serverId: 's', timestamp: '2026-01-01T00:00:00.000Z' };

it('an event for agents has URIs with legal characters only', () => {
  expect(eventForAgents({ type: 'resource_update', ...at, resourceUri: 'note://a b' })).toMatchObject({
    resourceUri: 'note://a%20b',
  });
  const list = { type: 'list_changed', ...at, added: ['note://<'], removed: ['note://ä'] } as const;
  expect(eventForAgents({ ...list, added: [...list.added], removed: [...list.removed] })).toMatchObject({
    added: ['note://%3C'],
    removed: ['note://%C3%A4'],
  });
});

it('an event for agents has text of a server as one short line', () => {
  const error = `no\nluck ${'x'.repeat(500)}`;
  const short = eventForAgents({ type: 'resource_error', ...at, resourceUri: 'note://a b', reason: 'read', error });
  expect(short).toMatchObject({ resourceUri: 'note://a%20b', error: expect.stringMatching(/^no luck x{192}…$/) });
  expect(eventForAgents({ type: 'server_state', ...at, state: 'backoff', detail: 'a\u001b[2Jb' })).toMatchObject({
    detail: 'a [2Jb',
  });
  const changed = { kind: 'tool', name: 'a\nb', held: true, changes: ['description'] } as const;
  expect(
    eventForAgents({ type: 'definition_changed', ...at, ...changed, changes: [...changed.changes] }),
  ).toMatchObject({ name: 'a%0Ab', changes: ['description'] });
});

it('an event for agents has no additional fields', () => {
  const error = { type: 'resource_error', ...at, reason: 'connect', error: 'gone' } as const;
  expect(eventForAgents(error)).toEqual(error);
  const state = { type: 'server_state', ...at, state: 'live' } as const;
  expect(eventForAgents(state)).toEqual(state);
  expect(eventForAgents({ type: 'gap', ...at })).toEqual({ type: 'gap', ...at });
});
