// Routes of `tidings serve vcon --port` beside MCP: health, metrics, resources by GET, and the REST routes of
// vcon-mcp; all with the same token and redaction.
import { describe, expect, it, onTestFinished } from 'vitest';
import { connectHttp } from '@tidings/live/testing';
import { HostedTidings } from '../cli/hosted-tidings.ts';
import { freshFolder } from './import-fixture.ts';
import { supportCall } from './workbench.ts';

interface Answer {
  status: number;
  body: Record<string, unknown>;
  text: string;
  headers: Headers;
}

async function served(name: string, args: readonly string[] = [], env: Record<string, string> = {}) {
  const data = env['TIDINGS_DATA'] ?? (await freshFolder());
  const server = new HostedTidings(['serve', name, '--port', '0', '--json', ...args], {
    env: { ...env, TIDINGS_DATA: data },
  });
  onTestFinished(async () => void (await server.end('SIGINT')));
  const { url }: { url: string } = JSON.parse(await server.line());
  const origin = new URL(url).origin;
  const ask = async (
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> => {
    const json = body === undefined ? {} : { body: JSON.stringify(body) };
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const response = await fetch(`${origin}${path}`, { method, headers: { ...type, ...headers }, ...json });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
    return { status: response.status, text, body: isJson ? JSON.parse(text) : {}, headers: response.headers };
  };
  return { url, ask, data };
}

const { uuid } = supportCall;
const at = `/api/v1/vcons/${uuid}`;

describe('a server over HTTP', () => {
  it('answers health, metrics, and its resources by GET', async () => {
    const { url, ask } = await served('counter');
    expect(await ask('GET', '/healthz')).toMatchObject({ status: 200, body: { status: 'ok' } });
    const client = await connectHttp(url, 'modern');
    await client.call('increment', { by: 3 });
    await client.close();
    const read = await ask('GET', `/resources/${encodeURIComponent('counter://value')}`);
    expect(read).toMatchObject({ status: 200, body: { value: 3 } });
    const etag = read.headers.get('etag') ?? '';
    const again = await ask('GET', `/resources/${encodeURIComponent('counter://value')}`, undefined, {
      'if-none-match': etag,
    });
    expect(again.status).toBe(304);
    const metrics = await ask('GET', '/metrics');
    expect(metrics.text).toMatch(/tidings_requests_total\{.*method="tools\/call".*\} 1/);
    expect(metrics.text).toContain('tidings_process_resident_memory_bytes');
    const missing = await ask('GET', `/resources/${encodeURIComponent('counter://other')}`);
    expect(missing).toMatchObject({ status: 404, body: { error: { code: 'RESOURCE_NOT_FOUND' } } });
    expect(await ask('GET', '/resources/%zz')).toMatchObject({ status: 400 });
    expect(await ask('GET', '/api/v1/vcons')).toMatchObject({ status: 404 });
  });

  it('refuses pages of other origins, and does not serve its resources as scripts', async () => {
    const { ask } = await served('counter');
    const value = `/resources/${encodeURIComponent('counter://value')}`;
    for (const [path, headers] of [
      [value, { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' }],
      [value, { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'script' }],
      ['/metrics', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'script' }],
      ['/metrics', { origin: 'https://elsewhere.example' }],
    ] as const)
      expect([path, headers, (await ask('GET', path, undefined, headers)).status]).toEqual([path, headers, 403]);
    for (const path of ['/healthz', '/metrics', value, '/nothing']) {
      const { headers } = await ask('GET', path);
      expect([path, headers.get('cross-origin-resource-policy'), headers.get('x-content-type-options')]).toEqual([
        path,
        'same-origin',
        'nosniff',
      ]);
    }
  });

  it('requires the token for everything except its health', async () => {
    const { ask } = await served('vcon', [], { TIDINGS_TOKEN: 'a-token-for-this-test' });
    expect((await ask('GET', '/healthz')).status).toBe(200);
    const paths = ['/metrics', '/resources/vcon%3A%2F%2Fv1%2Fvcons%2Frecent', '/api/v1/vcons', '/api/v1/health', '/x'];
    for (const path of paths) expect([path, (await ask('GET', path)).status]).toEqual([path, 401]);
    const headers = { authorization: 'Bearer a-token-for-this-test' };
    expect((await ask('GET', '/api/v1/vcons', undefined, headers)).status).toBe(200);
    expect((await ask('GET', '/metrics', undefined, headers)).status).toBe(200);
  });
});

describe('the REST routes of the vCon server', () => {
  it('creates, lists, reads, changes and deletes', async () => {
    const { ask } = await served('vcon');
    expect(await ask('POST', '/api/v1/vcons', supportCall)).toMatchObject({
      status: 201,
      body: { success: true, uuid },
    });
    expect(await ask('GET', at)).toMatchObject({ status: 200, body: { success: true, vcon: supportCall } });
    expect((await ask('GET', `${at}?format=metadata`)).body).not.toHaveProperty('vcon.dialog');
    expect((await ask('GET', `${at}/analysis?type=summary`)).body).toMatchObject({ analysis: [{ type: 'summary' }] });
    expect((await ask('GET', `${at}/parties`)).body).toMatchObject({ success: true, parties: supportCall.parties });
    const party = { name: 'Third' };
    expect(await ask('POST', `${at}/parties`, party)).toMatchObject({ status: 201, body: { index: 2 } });
    expect(await ask('PATCH', `${at}/parties/2`, { tel: '+1' })).toMatchObject({ status: 200 });
    expect(await ask('DELETE', `${at}/parties/2`)).toMatchObject({ status: 200 });
    expect(await ask('PATCH', at, { subject: 'Changed' })).toMatchObject({ status: 200, body: { success: true } });
    expect(await ask('PUT', `${at}/tags/team`, { value: 'sales' })).toMatchObject({ status: 200 });
    expect((await ask('GET', `${at}/tags`)).body).toMatchObject({ tags: { team: 'sales', department: 'support' } });
    expect(await ask('DELETE', `${at}/tags/team`)).toMatchObject({ status: 200 });
    expect(await ask('DELETE', at)).toMatchObject({ status: 200, body: { success: true } });
    expect(await ask('GET', at)).toMatchObject({ status: 404, body: { success: false, error: 'RESOURCE_NOT_FOUND' } });
  });

  it('creates batches, and reports the result of each vCon', async () => {
    const { ask } = await served('vcon');
    const batch = [supportCall, { parties: 'wrong' }, { subject: 'second' }];
    expect(await ask('POST', '/api/v1/vcons/batch', batch)).toMatchObject({
      status: 207,
      body: { success: false, total: 3, created: 2, failed: 1, results: [{ uuid }, { error: 'INVALID_PARAMS' }, {}] },
    });
    expect(await ask('POST', '/api/v1/vcons/batch', [{ subject: 'third' }])).toMatchObject({ status: 201 });
    expect(await ask('POST', '/api/v1/vcons/batch', [])).toMatchObject({ status: 400 });
    expect(await ask('POST', '/api/v1/vcons', [1])).toMatchObject({ status: 400 });
    const found = await ask('GET', '/api/v1/vcons?subject=support&include_count=true&limit=5');
    expect(found.body).toMatchObject({
      success: true,
      data: [{ uuid, parties_count: 2, dialog_count: 2 }],
      pagination: { limit: 5, has_more: false, total: 1 },
    });
    const tags = encodeURIComponent('{"department":"support"}');
    expect((await ask('GET', `/api/v1/vcons?tags=${tags}&format=ids_only`)).body).toMatchObject({ data: [uuid] });
    expect((await ask('GET', `/api/v1/tags/search?tags=${tags}&format=full`)).body).toMatchObject({
      data: [supportCall],
    });
    expect((await ask('GET', '/api/v1/vcons/search/content?q=account')).body).toMatchObject({ data: [{ uuid }] });
    expect((await ask('GET', '/api/v1/vcons/search/hybrid?query=account')).body).toMatchObject({
      searched_by: 'words',
    });
    expect((await ask('GET', '/api/v1/vcons/search/semantic?query=x')).status).toBe(503);
    expect((await ask('GET', '/api/v1/tags')).body).toMatchObject({ tags: expect.any(Array) });
    expect((await ask('GET', '/api/v1/schema')).body).toMatchObject({ schema: { type: 'object' } });
    expect((await ask('GET', '/api/v1/examples/chat')).body).toMatchObject({ example: { dialog: expect.any(Array) } });
    for (const path of ['vcons?limit=0', 'vcons?offset=5', 'vcons?tags=x', 'vcons?nosuch=1']) {
      expect([path, (await ask('GET', `/api/v1/${path}`)).status]).toEqual([path, 400]);
    }
    expect((await ask('GET', '/api/v1/nothing')).status).toBe(404);
    expect((await ask('POST', '/api/v1/vcons', undefined, { 'content-type': 'text/plain' })).status).toBe(415);
  });

  it('shows only redacted content and changes nothing under a redaction', async () => {
    const { ask, data } = await served('vcon');
    await ask('POST', '/api/v1/vcons', supportCall);
    const redacted = await served('vcon', ['--redact', 'contact-details'], { TIDINGS_DATA: data });
    for (const path of [
      at,
      '/api/v1/vcons?format=full',
      `${at}/parties`,
      `/resources/vcon%3A%2F%2Fv1%2Fvcons%2F${uuid}`,
    ]) {
      const { status, text } = await redacted.ask('GET', path);
      expect([path, status, text]).toEqual([path, 200, expect.not.stringMatching(/555-1234|smith@/)]);
    }
    expect((await redacted.ask('GET', '/api/v1/vcons?party_tel=5551234')).body).toMatchObject({ data: [] });
    expect(await redacted.ask('POST', '/api/v1/vcons', { subject: 'x' })).toMatchObject({ status: 403 });
    expect(await redacted.ask('DELETE', at)).toMatchObject({ status: 403 });
    expect((await ask('GET', at)).status).toBe(200);
  });
});
