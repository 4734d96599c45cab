import { afterEach, describe, expect, it, vi } from 'vitest';
import { readDefinitions } from './definitions.ts';
import { fakeMcpServer } from './fake-mcp-server.ts';

describe('the definitions of a server', () => {
  afterEach(() => vi.unstubAllGlobals());

  it('are those of all pages, each page requested with the cursor of the one before', async () => {
    const received = fakeMcpServer(({ method, params: { cursor } }) => {
      if (method === 'prompts/list') return { prompts: [{ name: 'greet' }] };
      if (method === 'resources/templates/list') return { resourceTemplates: [] };
      return cursor === undefined
        ? { tools: [{ name: 'one' }], nextCursor: 'after one' }
        : { tools: [{ name: 'two' }], nextCursor: undefined };
    });
    const { tools, prompts, templates } = await readDefinitions('notes');
    expect([tools, prompts, templates].map((all) => all.map(({ name }) => name))).toEqual([
      ['one', 'two'],
      ['greet'],
      [],
    ]);
    expect(received.filter(({ method }) => method === 'tools/list').map(({ params }) => params)).toEqual([
      {},
      { cursor: 'after one' },
    ]);
  });

  it('end after fifty pages of an endless list', async () => {
    const received = fakeMcpServer(({ method }) =>
      method === 'tools/list'
        ? { tools: [{ name: 'again' }], nextCursor: 'again' }
        : { prompts: [], resourceTemplates: [] },
    );
    expect((await readDefinitions('notes')).tools).toHaveLength(50);
    expect(received.filter(({ method }) => method === 'tools/list')).toHaveLength(50);
  });

  it('are refused if one of them is malformed', async () => {
    fakeMcpServer(() => ({ tools: [{ title: 'No name' }], prompts: [], resourceTemplates: [] }));
    await expect(readDefinitions('notes')).rejects.toThrow('name');
  });
});
