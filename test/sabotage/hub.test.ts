// For each promise of the hub, a small way to break it, and the test that must turn red.
import { describe } from 'vitest';
import { areCaught } from './broken-sources.ts';

const gateway = 'test/hub/gateway.test.ts';
const access = 'test/hub/access.test.ts';
const partOnly = 'shows one that opens part only that part, whichever way';

describe('a hub', () => {
  areCaught({
    folder: 'packages/hub',
    tests: ['test/hub', 'test/access', 'test/support', 'test/track', 'test/vcon/workbench.ts'],
    sabotages: [
      {
        name: 'subscribes anew for each client',
        file: 'gateway/watches.ts',
        find: 'let watch = this.#open.get(uri);',
        replace: 'let watch: Watch | undefined;',
        test: gateway,
        title: 'are subscribed to once, however many clients, from the first to the last',
      },
      {
        name: 'stays silent about what changed before a server agreed',
        file: 'gateway/watches.ts',
        find: 'isInForce && this.#options.announce(uri)',
        replace: 'isInForce',
        test: 'test/hub/changing-upstreams.test.ts',
        title: 'keeps no client waiting, and none that would miss what changed meanwhile',
      },
      {
        name: 'answers reads from a cache that updates do not clear',
        file: 'gateway/view.ts',
        find: 'read: (uri) => upstream.read(uri),',
        replace:
          'read: async (uri) => { const all = (globalThis.kept ??= new Map()); all.set(uri, all.get(uri) ?? (await upstream.read(uri))); return all.get(uri); },',
        test: gateway,
        title: 'lists, reads, subscribes, hears and calls; the server is tracked',
      },
      {
        name: 'answers for a server that is away',
        file: 'gateway/view.ts',
        find: 'read: (uri) => upstream.read(uri),',
        replace: 'read: (uri) => upstream.read(uri).catch(() => ({ contents: [] })),',
        test: gateway,
        title: 'do not suffer from one that is away',
      },
      {
        name: 'lets all suffer from one that is away',
        file: 'hub.ts',
        find: '.filter(({ entry }) => entry.enabled);',
        replace:
          ".filter(({ entry }, _, all) => entry.enabled && all.every((each) => each.status().state !== 'backoff'));",
        test: gateway,
        title: 'do not suffer from one that is away',
      },
      {
        name: 'lists what a token does not open',
        file: 'gateway/gateway-directory.ts',
        find: 'if (!permissions.opens(upstream.id, uri)) continue;',
        replace: '',
        test: access,
        title: partOnly,
      },
      {
        name: 'reads what a token does not open',
        file: 'gateway/gateway-directory.ts',
        find: "const owned = this.#owned(uri, permissions, 'reading');",
        replace: 'const owned = this.#ownership.ownerOf(uri, permissions);',
        test: access,
        title: partOnly,
      },
      {
        name: 'opens whatever a token asks for',
        file: 'access/permissions.ts',
        find: 'return this.#grant.allow?.opens(uri) ?? true;',
        replace: 'return true;',
        test: access,
        title: partOnly,
      },
      {
        name: 'lets a token spell its way out of what it opens',
        file: 'access/allow-list.ts',
        find: '|| isAmbiguous(uri)',
        replace: '',
        test: access,
        title: 'refuses a spelling that a server would read as something else',
      },
      {
        name: 'passes on contents that a token does not open',
        file: 'gateway/gateway-directory.ts',
        find: 'uri === owned.uri || permissions.opens(owned.serverId, uri)',
        replace: 'uri !== undefined',
        test: 'test/access/returned-uris.test.ts',
        title: 'contents under URIs that a token does not open are left out of what it reads',
      },
      {
        name: 'lets a server take over what an earlier one serves',
        file: 'gateway/claims.ts',
        find: 'return this.#catalog.resources.has(uri) || this.#hasTemplateFor(uri);',
        replace: 'return this.#catalog.resources.has(uri);',
        test: 'test/access/ownership.test.ts',
        title: 'stays with the first, by its template, though a later one lists it',
      },
      {
        name: 'gives a limited token all tools',
        file: 'access/grant.ts',
        find: "tools ?? (isWhole ? ['**'] : [])",
        replace: "['**']",
        test: 'test/access/ownership.test.ts',
        title: 'has the plain URIs of that server, whoever else has them, on every way',
      },
      {
        name: 'lets servers shadow each other for a token that does not see them',
        file: 'gateway/ownership.ts',
        find: 'if (permissions.sees(upstream.id)) yield upstream;',
        replace: 'yield upstream;',
        test: 'test/access/ownership.test.ts',
        title: 'has the plain URIs of that server, whoever else has them, on every way',
      },
      {
        name: 'tells of what a token does not open',
        file: 'access/visible-event.ts',
        find: "case 'resource_update':\n      return permissions.opens(event.serverId, event.resourceUri) ? event : undefined;",
        replace: "case 'resource_update':\n      return event;",
        test: access,
        title: 'tells one that opens part only of that part',
      },
      {
        name: 'lets a stream outlive its token',
        file: 'http/open-answers.ts',
        find: 'if (!isLetIn(admitted)) res.destroy();',
        replace: '{}',
        test: access,
        title: 'cuts off one whose token is gone or opens something else, and leaves the others alone',
      },
      {
        name: 'gives contents to agents as the system',
        file: 'agent/openai-realtime.ts',
        find: "content: 'user' }",
        replace: "content: 'system' }",
        test: 'test/hub/sessions.test.ts',
        title: 'gets contents as data in the user role, and no response is asked for',
      },
      {
        name: 'tells a token with a redaction of servers that do not redact',
        file: 'access/permissions.ts',
        find: 'return redact === undefined || this.#find(serverId)?.redacts === true;',
        replace: 'return true;',
        test: 'test/hub/redaction.test.ts',
        title: 'shuts out servers that do not redact, though the token opens all',
      },
    ],
  });
});
