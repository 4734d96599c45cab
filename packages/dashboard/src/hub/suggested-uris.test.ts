import { afterEach, describe, expect, it, vi } from 'vitest';
import { fakeMcpServer } from './fake-mcp-server.ts';
import { suggestedUris } from './suggested-uris.ts';

const templatesOf = (...templates: string[]) => templates.map((uriTemplate) => ({ uriTemplate, name: uriTemplate }));

describe('suggested URIs', () => {
  afterEach(() => vi.unstubAllGlobals());

  it('complete the variable that the typed URI ends in, as encoded URIs', async () => {
    const received = fakeMcpServer(() => ({ completion: { values: ['first', 'a b/c'] } }));
    const known = [{ serverId: 'notes', templates: templatesOf('note://{folder}/{name}', 'other://{name}') }];
    expect(await suggestedUris('note://work/fi', known)).toEqual(['note://work/first', 'note://work/a%20b%2Fc']);
    expect(received).toMatchObject([
      {
        path: '/mcp/notes',
        method: 'completion/complete',
        params: {
          ref: { type: 'ref/resource', uri: 'note://{folder}/{name}' },
          argument: { name: 'name', value: 'fi' },
        },
      },
    ]);
  });

  it('are those of the other servers if one fails', async () => {
    fakeMcpServer(({ path }) => {
      if (path === '/mcp/broken') throw new Error('Method not found');
      return { completion: { values: ['x'] } };
    });
    const known = ['broken', 'notes'].map((serverId) => ({ serverId, templates: templatesOf('note://{name}') }));
    expect(await suggestedUris('note://', known)).toEqual(['note://x']);
  });

  it('are requested for at most five templates', async () => {
    const received = fakeMcpServer(() => ({ completion: { values: [] } }));
    const templates = templatesOf(...Array.from({ length: 8 }, (_, n) => `note://{name${n}}`));
    expect(await suggestedUris('note://', [{ serverId: 'notes', templates }])).toEqual([]);
    expect(received).toHaveLength(5);
  });

  it('are empty without a request if no template begins like the typed URI', async () => {
    const received = fakeMcpServer(() => ({ completion: { values: ['x'] } }));
    expect(await suggestedUris('ftp://', [{ serverId: 'notes', templates: templatesOf('note://{name}') }])).toEqual([]);
    expect(received).toEqual([]);
  });
});
