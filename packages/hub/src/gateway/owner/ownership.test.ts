import { systemClock } from '@tidings/live';
import { emptyCatalog } from '@tidings/track/internal';
import { describe, expect, it } from 'vitest';
import { Grant, type Terms } from '../../access/grant.ts';
import { permissionsBy } from '../../access/permissions.ts';
import { addressOf } from './address.ts';
import { Ownership } from './ownership.ts';

interface Listed {
  uris?: string[];
  templates?: string[];
  /** Whether its list is known; true if left out. */
  isListKnown?: boolean;
  state?: 'connecting' | 'needs_login';
  /** The server's own spelling, by the spelling that agents are shown. */
  spellings?: Record<string, string>;
}

/** Servers in the order of the configuration, as one caller sees them. */
function among(servers: Record<string, Listed>, terms: Terms = {}) {
  const upstreams = Object.entries(servers).map(
    ([id, { uris = [], templates = [], spellings = {}, isListKnown = true, state = 'connecting' }]) => ({
      id,
      isListKnown,
      loginCommand: `tidings login ${id}`,
      status: () => ({ state }),
      lastKnownCatalog: {
        ...emptyCatalog,
        resources: new Map(uris.map((uri) => [uri, { uri, name: uri }])),
        templates: templates.map((uriTemplate) => ({ uriTemplate, name: uriTemplate })),
      },
      spelling: (uri: string) => spellings[uri] ?? uri,
    }),
  );
  const named = (id: string) => upstreams.find((each) => each.id === id);
  const catalogOf = (id: string) => named(id)?.lastKnownCatalog;
  const permissionsOf = permissionsBy((id) => {
    const catalog = catalogOf(id);
    return catalog && { catalog, redacts: false };
  }, systemClock);
  const permissions = permissionsOf({ auth: { subject: 'x', grant: new Grant(terms) } });
  const ownership = new Ownership(() => upstreams);
  return {
    ownerOf: (uri: string) => ownership.ownerOf(uri, permissions),
    ownerIdOf: (uri: string) => ownership.find(uri, permissions)?.serverId,
    mayFindOwner: (uri: string) => ownership.mayFindOwner(uri, permissions),
    owns: (id: string, uri: string) =>
      upstreams.some((each) => each.id === id && ownership.isOwner(each, uri, permissions)),
    templateOwnerOf: (template: string) => {
      const owned = ownership.ownerOfTemplate(template, permissions);
      return owned && [owned.upstream.id, owned.template];
    },
    ownsTemplate: (id: string, template: string) =>
      upstreams.some((each) => each.id === id && ownership.isOwnerOfTemplate(each, template, permissions)),
  };
}

describe('a URI', () => {
  it('belongs to the first server that lists it or has a template for it', () => {
    const { ownerIdOf, owns } = among({
      docs: { templates: ['docs://corp/{page}'] },
      thief: { uris: ['docs://corp/handbook', 'docs://other'] },
    });
    expect(ownerIdOf('docs://corp/handbook')).toBe('docs');
    expect(ownerIdOf('docs://other')).toBe('thief');
    expect(owns('docs', 'docs://corp/handbook')).toBe(true);
    expect(owns('thief', 'docs://corp/handbook')).toBe(false);
  });

  it('that no server has leads to the first server with its scheme, without an owner', () => {
    const { ownerIdOf, owns } = among({
      one: { uris: ['page://one'] },
      two: { uris: ['page://two'] },
    });
    expect(ownerIdOf('page://three')).toBe('one');
    expect(ownerIdOf('page://two')).toBe('two');
    expect(owns('one', 'page://three')).toBe(false);
  });

  it('leads to the spelling of its server', () => {
    const { ownerOf } = among({ one: { uris: ['page://a b'], spellings: { 'page://a%20b': 'page://a b' } } });
    expect(ownerOf('page://a%20b')).toMatchObject({ serverId: 'one', uri: 'page://a b' });
    expect(ownerOf('page://a b')).toMatchObject({ serverId: 'one', uri: 'page://a b' });
  });

  it('of a server that is hidden from the caller belongs to the next one, or to none', () => {
    const servers = { one: { uris: ['page://a', 'page://b'] }, two: { uris: ['page://a'] } };
    const { ownerIdOf, ownerOf } = among(servers, { servers: ['two'] });
    expect(ownerIdOf('page://a')).toBe('two');
    expect(ownerIdOf('page://b')).toBe('two');
    expect(() => ownerOf(addressOf({ serverId: 'one', uri: 'page://a' }))).toThrow('There is no server "one" here');
    expect(() => ownerOf('other://a')).toThrow('None of the servers here has "other:" resources.');
    expect(() => ownerOf('no scheme')).toThrow('A resource URI starts with a scheme');
  });

  it('may belong to a visible server that needs a login', () => {
    const servers = { one: {}, two: { isListKnown: false, state: 'needs_login' as const } };
    expect(() => among(servers).ownerOf('other://a')).toThrow('"two" wants a login: run "tidings login two".');
    expect(() => among(servers, { servers: ['one'] }).ownerOf('other://a')).toThrow(
      'None of the servers here has "other:" resources.',
    );
  });

  it('may get another owner while the list of a server is unknown', () => {
    const { mayFindOwner, ownerOf } = among({ one: { uris: ['page://a'] }, two: { isListKnown: false } });
    expect(mayFindOwner('other://a')).toBe(true);
    expect(() => ownerOf('other://a')).toThrow('not all are connected yet: try again later');
    expect(mayFindOwner(addressOf({ serverId: 'two', uri: 'other://a' }))).toBe(false);
    expect(mayFindOwner('no scheme')).toBe(false);
    expect(among({ one: {} }).mayFindOwner('other://a')).toBe(false);
  });

  it('belongs to the server in it if it is a tidings:// address', () => {
    const { ownerOf } = among({ one: { uris: ['page://a'] }, two: {} });
    expect(ownerOf(addressOf({ serverId: 'two', uri: 'page://a' }))).toMatchObject({
      serverId: 'two',
      uri: 'page://a',
    });
  });
});

describe('a template', () => {
  const servers = {
    one: { templates: ['page://{+path}'] },
    two: { templates: ['page://{id}', 'note://{id}'] },
  };

  it('belongs to the first server that has it, or one for all it matches', () => {
    const { templateOwnerOf, ownsTemplate } = among(servers);
    expect(templateOwnerOf('note://{id}')).toEqual(['two', 'note://{id}']);
    expect(ownsTemplate('two', 'note://{id}')).toBe(true);
    expect(ownsTemplate('two', 'page://{id}')).toBe(false);
    // The first server has another template for it, and does not get this one.
    expect(templateOwnerOf('page://{id}')).toBeUndefined();
    expect(templateOwnerOf('other://{id}')).toBeUndefined();
  });

  it('of addresses belongs to the server in it', () => {
    const { templateOwnerOf } = among(servers);
    expect(templateOwnerOf('tidings://two/page://{id}')).toEqual(['two', 'page://{id}']);
    expect(templateOwnerOf('tidings://two/other://{id}')).toBeUndefined();
  });

  it('belongs to the next server if the first is hidden from the caller', () => {
    const { templateOwnerOf, ownsTemplate } = among(servers, { servers: ['two'] });
    expect(templateOwnerOf('page://{id}')).toEqual(['two', 'page://{id}']);
    expect(ownsTemplate('two', 'page://{id}')).toBe(true);
  });
});
