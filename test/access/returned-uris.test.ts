// A server may answer with other resources than the one it was asked for. A caller whose token opens some resources
// gets those of them that it opens.
import { McpServer, createMcpHandler } from '@modelcontextprotocol/server';
import { expect, it } from 'vitest';
import { runningHub } from '../hub/running-hub.ts';
import { serveSdk } from '../track/sdk-http.ts';

const content = (path: string) => ({ uri: `docs://corp/${path}`, text: `text of ${path}` });
const answers: Record<string, { uri: string; text: string }[]> = {
  'docs://corp/public/all': [
    content('public/a'),
    content('private/b'),
    { ...content('x'), uri: 'docs://corp/public/../private/c' },
  ],
  'docs://corp/public/moved': [content('private/b')],
  'docs://corp/public/empty': [],
};

it('contents under URIs that a token does not open are left out of what it reads', async () => {
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: 'docs', version: '1.0.0' }, { capabilities: { resources: {} } });
    for (const [uri, contents] of Object.entries(answers))
      server.registerResource(uri, uri, {}, () => ({ contents, cacheScope: 'public', ttlMs: 1000 }));
    return server;
  });
  await using docs = await serveSdk(handler);
  await using hub = await runningHub({
    servers: [{ ...docs.entry, id: 'docs' }],
    config: { tokens: [{ env: 'READER', allow: ['docs://corp/public/**'] }] },
    token: 'whole',
    env: { READER: 'part' },
  });
  await hub.isLive('docs');
  const get = async (uri: string, token: string) => {
    const path = `/resources/${encodeURIComponent(uri)}`;
    const answer = await hub.get(path, { Authorization: `Bearer ${token}` });
    return { status: answer.status, text: await answer.text() };
  };
  expect((await get('docs://corp/public/all', 'whole')).text).toContain('private/b');
  expect(await get('docs://corp/public/all', 'part')).toEqual({ status: 200, text: 'text of public/a' });
  expect((await get('docs://corp/public/moved', 'whole')).status).toBe(200);
  const moved = await get('docs://corp/public/moved', 'part');
  expect(moved.status).toBe(403);
  expect(moved.text).not.toContain('private');
  expect((await get('docs://corp/public/empty', 'part')).status).toBe(200);
});
