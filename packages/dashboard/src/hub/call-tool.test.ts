import { afterEach, expect, it, vi } from 'vitest';
import { callServerTool } from './call-tool.ts';
import { fakeMcpServer } from './fake-mcp-server.ts';

afterEach(() => vi.unstubAllGlobals());

it('resolves with the structured content of the result', async () => {
  const received = fakeMcpServer(() => ({
    content: [{ type: 'text', text: 'Two.' }],
    structuredContent: { count: 2 },
  }));
  expect(await callServerTool('my notes', 'count_notes', { of: 'a' })).toEqual({ count: 2 });
  expect(received).toEqual([
    { path: '/mcp/my%20notes', method: 'tools/call', params: { name: 'count_notes', arguments: { of: 'a' } } },
  ]);
});

it('rejects with all texts of a failed tool', async () => {
  const texts = [{ type: 'text', text: 'It is locked.' }, { type: 'image' }, { type: 'text', text: 'Try later.' }];
  fakeMcpServer(() => ({ isError: true, content: texts, structuredContent: {} }));
  await expect(callServerTool('notes', 'write')).rejects.toThrow('It is locked.\n\nTry later.');
});
