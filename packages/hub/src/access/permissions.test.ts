import { systemClock } from '@tidings/live';
import { type Catalog, emptyCatalog } from '@tidings/track/internal';
import { describe, expect, it } from 'vitest';
import { Grant, type Terms } from './grant.ts';
import { type KnownServer, permissionsBy } from './permissions.ts';
import { seenBy } from './visible-event.ts';

function catalog(uris: string[], templates: string[] = []): Catalog {
  return {
    ...emptyCatalog,
    resources: new Map(uris.map((uri) => [uri, { uri, name: uri }])),
    templates: templates.map((uriTemplate) => ({ uriTemplate, name: uriTemplate })),
  };
}

const servers: Record<string, KnownServer> = {
  notes: { catalog: catalog(['note://a', 'note://b']), redacts: false },
  vcon: { catalog: catalog([], ['vcon://v1/vcons/{uuid}']), redacts: true },
  empty: { catalog: catalog([]), redacts: false },
};
const permissionsOf = permissionsBy((id) => servers[id], systemClock);
const having = (terms: Terms) => permissionsOf({ auth: { subject: 'x', grant: new Grant(terms) } });
const seen = (terms: Terms) => [...Object.keys(servers), 'none'].filter((id) => having(terms).sees(id));

describe('permissions', () => {
  it.each<[string, Terms, string[]]>([
    ['no limit', {}, ['notes', 'vcon', 'empty', 'none']],
    ['patterns of what a server lists', { allow: ['note://a'] }, ['notes']],
    ['patterns of what a template stands for', { allow: ['vcon://v1/vcons/0*'] }, ['vcon']],
    ['patterns that nothing matches', { allow: ['note://c'] }, []],
    ['servers', { servers: ['empty', 'vcon'] }, ['vcon', 'empty']],
    ['servers and patterns', { servers: ['empty'], allow: ['note://a'] }, ['empty']],
    ['a redaction', { redact: 'strict' }, ['vcon']],
    ['a redaction and another server', { redact: 'strict', servers: ['notes'] }, []],
    ['patterns, and a tool by name', { allow: ['note://a'], tools: ['empty_*'] }, ['notes', 'empty']],
    ['patterns, and a prompt by name', { allow: ['note://a'], prompts: ['empty_ask'] }, ['notes', 'empty']],
  ])('with %s show their servers', (_, terms, expected) => {
    expect(seen(terms)).toEqual(expected);
  });

  it('open allowed resources of visible servers', () => {
    expect(having({ allow: ['note://a'] }).opens('notes', 'note://a')).toBe(true);
    expect(having({ allow: ['note://a'] }).opens('notes', 'note://b')).toBe(false);
    expect(having({ servers: ['vcon'] }).opens('notes', 'note://a')).toBe(false);
    expect(having({ redact: 'strict' }).opens('notes', 'note://a')).toBe(false);
    expect(having({ redact: 'strict' }).opens('vcon', 'vcon://v1/vcons/x')).toBe(true);
  });

  it.each<[string, Terms, boolean, boolean]>([
    ['no limit', {}, true, true],
    ['patterns alone', { allow: ['note://**'] }, false, false],
    ['servers alone', { servers: ['notes'] }, false, false],
    ['a redaction alone', { redact: 'strict' }, false, false],
    ['a name', { allow: ['note://a'], tools: ['notes_put'] }, true, true],
    ['a pattern', { servers: ['notes'], tools: ['notes_*'] }, true, true],
    ['names alone', { tools: ['notes_p*'] }, true, true],
    ['another name', { tools: ['notes_get'] }, false, false],
    ['a name without its server', { tools: ['put'] }, false, false],
    ['a name at a server it is not bound to', { servers: ['vcon'], tools: ['notes_put'] }, false, false],
  ])('with %s let a tool be called', (_, terms, reading, writing) => {
    expect(having(terms).mayCall('notes', 'put', true)).toBe(reading);
    expect(having(terms).mayCall('notes', 'put', false)).toBe(writing);
  });

  it('with a redaction allow no tool that may write, even if it is named', () => {
    const permissions = having({ redact: 'strict', tools: ['**'], prompts: ['vcon_*'] });
    expect(permissions.mayCall('vcon', 'search', true)).toBe(true);
    expect(permissions.mayCall('vcon', 'update', false)).toBe(false);
    expect(permissions.mayPrompt('vcon', 'ask')).toBe(true);
  });

  it('accept a long name in full or as /mcp shortens it', () => {
    const tool = 'a'.repeat(80);
    expect(having({ tools: [`notes_${tool}`] }).mayCall('notes', tool, true)).toBe(true);
    expect(having({ tools: ['notes_aaaa*'] }).mayCall('notes', tool, true)).toBe(true);
  });

  it('allow only named prompts', () => {
    expect(having({}).mayPrompt('notes', 'ask')).toBe(true);
    expect(having({ allow: ['note://**'] }).mayPrompt('notes', 'ask')).toBe(false);
    expect(having({ allow: ['note://**'], tools: ['notes_*'] }).mayPrompt('notes', 'ask')).toBe(false);
    expect(having({ allow: ['note://**'], prompts: ['notes_*'] }).mayPrompt('notes', 'ask')).toBe(true);
  });

  it('are empty for a credential without a grant', () => {
    const permissions = permissionsOf({ auth: { subject: 'x' } });
    expect(permissions.sees('notes')).toBe(false);
    expect(permissions.isWhole).toBe(false);
    expect(permissionsOf({}).isWhole).toBe(true);
  });

  it('are the same object, under the same id, for the same grant', () => {
    const grant = new Grant({ allow: ['note://a'] });
    const of = (given: Grant) => permissionsOf({ auth: { subject: 'x', grant: given } });
    expect(of(grant)).toBe(of(grant));
    expect(of(new Grant({ allow: ['note://a'] })).id).toBe(of(grant).id);
    expect(of(new Grant({ allow: ['note://b'] })).id).not.toBe(of(grant).id);
  });
});

describe('an event', () => {
  const timestamp = '2026-01-01T00:00:00.000Z';
  const reader = having({ allow: ['note://a'] });

  it('about a hidden server is left out', () => {
    for (const serverId of ['vcon', 'empty', 'none']) {
      expect(seenBy(reader, { type: 'server_state', serverId, state: 'live', timestamp })).toBeUndefined();
      expect(seenBy(reader, { type: 'gap', serverId, timestamp })).toBeUndefined();
      const error = { type: 'resource_error', serverId, reason: 'connect', error: 'x', timestamp } as const;
      expect(seenBy(reader, error)).toBeUndefined();
    }
  });

  it('lists only permitted URIs, and is hidden without any', () => {
    const list = { type: 'list_changed', serverId: 'notes', timestamp } as const;
    expect(seenBy(reader, { ...list, added: ['note://a', 'note://b'], removed: [] })).toEqual({
      ...list,
      added: ['note://a'],
      removed: [],
    });
    expect(seenBy(reader, { ...list, added: ['note://b'], removed: ['note://c'] })).toBeUndefined();
  });

  it('has a server state without details', () => {
    const state = { type: 'server_state', serverId: 'notes', state: 'backoff', timestamp } as const;
    expect(seenBy(reader, { ...state, detail: 'note://b is broken' })).toEqual(state);
  });
});

describe('the resources of a list that may be opened', () => {
  const { resources } = catalog(['note://a', 'note://b', 'other://c']);

  it.each<[string, Terms, string[]]>([
    ['no limit', {}, ['note://a', 'note://b', 'other://c']],
    ['patterns', { allow: ['note://*'] }, ['note://a', 'note://b']],
    ['other servers', { servers: ['vcon'] }, []],
  ])('are filtered with %s', async (_, terms, expected) => {
    const open = await having(terms).openAmong('notes', resources);
    expect(open.map(({ uri }) => uri)).toEqual(expected);
  });

  it('are computed once per list', async () => {
    const grant = new Grant({ allow: ['note://*'] });
    const ask = () => permissionsOf({ auth: { subject: 'x', grant } }).openAmong('notes', resources);
    expect(await ask()).toBe(await ask());
  });
});
