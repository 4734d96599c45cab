import { describe, expect, it } from 'vitest';
import { Grant, type Terms, grantOf } from './grant.ts';

describe('a grant', () => {
  it('without terms grants every tool and prompt', () => {
    const grant = new Grant({ hostPrefix: 'mcp__' });
    expect(grant.isWhole).toBe(true);
    expect(grant.namesTool('notes', 'delete')).toBe(true);
    expect(grant.namesPrompt('notes', 'ask')).toBe(true);
  });

  it.each<Terms>([{ allow: ['note://**'] }, { servers: ['notes'] }, { redact: 'strict' }, { tools: [] }])(
    'with the terms %j grants only named tools and prompts',
    (terms) => {
      const grant = new Grant(terms);
      expect(grant.isWhole).toBe(false);
      expect(grant.namesTool('notes', 'search')).toBe(false);
      expect(grant.namesPrompt('notes', 'ask')).toBe(false);
    },
  );

  it('names tools as on /mcp, with or without the server', () => {
    const grant = new Grant({ tools: ['notes_get_*'] });
    expect(grant.namesTool('notes', 'get_one')).toBe(true);
    expect(grant.namesTool(undefined, 'notes_get_one')).toBe(true);
    expect(grant.namesTool('notes', 'set_one')).toBe(false);
    expect(grant.namesTool('other', 'get_one')).toBe(false);
    expect(grant.namesPrompt('notes', 'get_one')).toBe(false);
  });

  it('tells whether it may include a tool or a prompt of a server', () => {
    const grant = new Grant({ tools: ['notes_get_*'], prompts: ['vcon_*'] });
    expect(['notes', 'vcon', 'obs'].filter((id) => grant.namesAnyOf(id))).toEqual(['notes', 'vcon']);
  });

  it('has the id of its terms, without the prefix of the host', () => {
    const terms = { allow: ['note://a'], tools: ['notes_*'] };
    expect(new Grant({ ...terms, hostPrefix: 'mcp__' }).id).toBe(new Grant(terms).id);
    expect(new Grant({ ...terms, redact: 'strict' }).id).not.toBe(new Grant(terms).id);
  });
});

describe('the grant of a caller', () => {
  it('is everything without a credential, as on a hub without tokens', () => {
    expect(grantOf({}).isWhole).toBe(true);
  });

  it('is that of the credential', () => {
    const grant = new Grant({ servers: ['notes'] });
    expect(grantOf({ auth: { subject: 'ada', grant } })).toBe(grant);
  });

  it.each([{ subject: 'ada' }, { subject: 'ada', grant: { isWhole: true } }])('is nothing for %j', (auth) => {
    const grant = grantOf({ auth });
    expect(grant.isWhole).toBe(false);
    expect(grant.allow?.opens('note://a')).toBe(false);
    expect(grant.servers?.size).toBe(0);
  });
});
