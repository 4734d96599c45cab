// A plain read through the hub bypasses the SDK, which its client must not notice. The same request with an additional
// key in `_meta` uses the SDK, and both responses are compared.
import { expect, it } from 'vitest';
import { rpcRequest } from '../support/wire/raw-http.ts';
import { hubWithNotes } from './hub-with-notes.ts';

it('answers plain reads as the SDK does', async () => {
  await using notes = await hubWithNotes();
  const read = async (path: string, uri: string, vendor: object) => {
    const { headers, body } = rpcRequest('modern', 'resources/read', { uri });
    const params: Record<string, unknown> = body.params;
    const _meta = Object.assign({}, params['_meta'], vendor);
    const text = JSON.stringify({ ...body, params: { ...params, _meta } });
    const response = await fetch(`${notes.hub.url}${path}`, { method: 'POST', headers, body: text });
    const message: unknown = await response.json();
    return { status: response.status, type: response.headers.get('content-type'), message };
  };
  for (const path of ['/mcp', '/mcp/notes']) {
    for (const uri of ['note://a', 'tidings://notes/note%3A%2F%2Fa', 'note://missing', 'other://x', 'none']) {
      const plain = await read(path, uri, {});
      expect(plain).toEqual(await read(path, uri, { 'example.com/vendor': 1 }));
    }
  }
});
