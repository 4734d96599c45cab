// Lists, definitions and capabilities of a server.
import assert from 'node:assert/strict';
import { cellNames, overHttp } from '../cells.ts';
import type { Kit } from '../support/kit.ts';
import type { Scenario } from './scenario.ts';
import { serve } from './with-http.ts';

export const catalogScenarios: readonly Scenario[] = [
  {
    proves: 'pages',
    cells: overHttp,
    run: async (cell, kit) => {
      const { era } = cell;
      const server = manyResources(kit);
      await using http = await serve(cell, kit, server);
      const client = await kit.testing.connectHttp(http.url, era);
      const uris = await client.listAll();
      assert.equal(uris.length, 1 + 40 + 40 + 1);
      assert.equal(new Set(uris).size, uris.length);
      assert.equal(uris[0], 'first://of-all');
      assert.equal(uris.at(-1), 'last://of-all');
      await client.close();
    },
  },
  {
    proves: 'no-empty-promises',
    cells: overHttp,
    run: async (cell, kit) => {
      const { era } = cell;
      const server = kit.live.liveServer({ name: 'tools-only', version: '1.0.0' });
      server.tool('nothing', {}, () => undefined);
      await using http = await serve(cell, kit, server);
      const client = await kit.testing.connectHttp(http.url, era);
      assert.deepEqual(client.capabilities, {
        resources: { subscribe: true, listChanged: true },
        tools: { listChanged: true },
      });
      await client.close();
    },
  },
  {
    proves: 'tools-list-changed',
    cells: cellNames,
    withEveryClient: true,
    run: async (cell, kit) => {
      await using open = await cell.open(kit);
      const { client } = open;
      await client.subscribe('note://first');
      await client.call('add_tool', { name: 'late' });
      await kit.testing.eventually('the news', () => client.listChanges.includes('notifications/tools/list_changed'));
      // The earlier connection can use the tool, and cannot after its removal.
      assert.equal(await client.call('late'), 'here');
      const before = client.listChanges.length;
      await client.call('remove_tool', { name: 'late' });
      await kit.testing.eventually('its removal', () => client.listChanges.length > before);
      await assert.rejects(client.call('late'));
    },
  },
];

function manyResources(kit: Kit) {
  const server = kit.live.liveServer({ name: 'many', version: '1.0.0', pageSize: 7 });
  const numbers = Array.from({ length: 40 }, (_, n) => String(n).padStart(3, '0'));
  server.resource('first://of-all', { read: () => 1 });
  server.resource('listed://{n}', {
    read: ({ n }) => n,
    list: async function* () {
      for (const n of numbers) yield { n };
    },
  });
  server.resource('sought://{n}', {
    read: ({ n }) => n,
    listAfter: (last) => numbers.filter((n) => last === undefined || n > last.n).map((n) => ({ n })),
  });
  server.resource('unlisted://{n}', { read: ({ n }) => n });
  server.resource('last://of-all', { read: () => 1 });
  return server;
}
