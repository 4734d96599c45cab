import { systemClock } from '@tidings/live';
import { type Catalog, emptyCatalog } from '@tidings/track/internal';
import { describe, expect, it } from 'vitest';
import { Grant } from '../../access/grant.ts';
import { permissionsBy } from '../../access/permissions.ts';
import { GatewayList } from './gateway-list.ts';

function catalog(...uris: string[]): Catalog {
  return { ...emptyCatalog, resources: new Map(uris.map((uri) => [uri, { uri, name: uri }])) };
}

interface Server {
  id: string;
  catalog: Catalog;
}

function listOf(...servers: Server[]) {
  const permissionsOf = permissionsBy((id) => {
    const found = servers.find((each) => each.id === id);
    return found && { catalog: found.catalog, redacts: false };
  }, systemClock);
  const permissions = permissionsOf({ auth: { subject: 'x', grant: new Grant({ allow: ['note://**'] }) } });
  const firstWith = (uri: string) => servers.find((each) => each.catalog.resources.has(uri));
  const list = new GatewayList<{ upstream: Server; resources: Catalog['resources'] }>({
    isOwner: ({ upstream }, uri) => firstWith(uri) === upstream,
    clock: systemClock,
  });
  const listed = () => servers.map((upstream) => ({ upstream, resources: upstream.catalog.resources }));
  return () => list.of(permissions, listed());
}

describe('the list of the gateway', () => {
  it('is built once while the lists of the servers are unchanged', async () => {
    const list = listOf(
      { id: 'a', catalog: catalog('note://1') },
      { id: 'b', catalog: catalog('note://1', 'secret://2') },
    );
    const first = await list();
    expect(first.map(({ uri }) => uri)).toEqual(['note://1', 'tidings://b/note%3A%2F%2F1']);
    expect(await list()).toBe(first);
  });

  it('is rebuilt when the list of a server changes', async () => {
    const server = { id: 'a', catalog: catalog('note://1') };
    const list = listOf(server, { id: 'b', catalog: catalog('note://2') });
    await list();
    server.catalog = catalog('note://2');
    expect((await list()).map(({ uri }) => uri)).toEqual(['note://2', 'tidings://b/note%3A%2F%2F2']);
  });
});
