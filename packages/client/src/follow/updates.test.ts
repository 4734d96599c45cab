import { once } from 'node:events';
import { type ServerResponse, createServer } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { updates } from './updates.ts';

/** A hub that answers with these events and records the cursor of each request. */
async function startHub(answer: (response: ServerResponse) => void) {
  const asked: (string | null)[] = [];
  const server = createServer((request, response) => {
    asked.push(new URL(request.url ?? '', 'http://hub').searchParams.get('after'));
    response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write(': here\n\n');
    answer(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  if (typeof address !== 'object' || address === null) expect.fail('It does not listen.');
  return { server, asked, hub: `http://127.0.0.1:${address.port}` };
}

const timestamp = '2026-08-01T00:00:00.000Z';
const event = (id: string, data: object) => `id: ${id}\ndata: ${JSON.stringify({ ...data, timestamp })}\n\n`;

it('gives the resource of each line', async () => {
  const { hub } = await startHub((response) => {
    response.write(event('1', { type: 'handshake', cursor: '1' }));
    response.write(event('2', { type: 'resource_update', serverId: 'notes', resourceUri: 'note://ü' }));
    response.write(event('3', { type: 'list_changed', serverId: 'notes', added: ['note://b'], removed: ['note://c'] }));
    response.write(event('4', { type: 'gap', serverId: 'notes' }));
    response.write(event('5', { type: 'gap' }));
  });
  const lines = updates({ hub });
  const taken: unknown[] = [];
  for await (const each of lines) if (taken.push(each) === 4) break;
  const doubt = 'may have changed at 2026-08-01T00:00:00.000Z: read again what you rely on';
  expect(taken).toEqual([
    {
      line: `Resource note://%C3%BC updated for MCP server notes at ${timestamp}`,
      serverId: 'notes',
      uri: 'note://ü',
      kind: 'update',
      cursor: '2',
    },
    {
      line: `Resource note://c updated for MCP server notes at ${timestamp}`,
      serverId: 'notes',
      uri: 'note://c',
      kind: 'removed',
      cursor: '3',
    },
    { line: `Resources of MCP server notes ${doubt}`, serverId: 'notes', kind: 'gap', cursor: '4' },
    { line: `Resources ${doubt}`, kind: 'gap', cursor: '5' },
  ]);
});

it('gives one summary when there are too many lines for a minute', async () => {
  const { hub } = await startHub((response) => {
    response.write(event('1', { type: 'handshake', cursor: '1' }));
    const update = (n: number) => event(`${n}`, { type: 'resource_update', serverId: 's', resourceUri: `n://${n}` });
    response.write(`${[2, 3].map(update).join('')}${event('4', { type: 'gap' })}`);
  });
  let onGap = (): void => undefined;
  const gap = new Promise<void>((resolve) => (onGap = resolve));
  const onState = (state: string) => (state === 'gap' ? onGap() : undefined);
  const lines = updates({ hub, perMinute: 1, when: 'between-turns', onState });
  lines.answering(true);
  const next = lines.next();
  await gap;
  lines.answering(false);
  const { value } = await next;
  expect(value).toMatchObject({ kind: 'summary', serverId: undefined, uri: undefined, cursor: '4' });
  await lines.return();
});

it('continues after the cursor of an earlier run', async () => {
  const { hub, asked } = await startHub((response) => {
    response.write(event('8', { type: 'resource_update', serverId: 's', resourceUri: 'n://8' }));
  });
  const lines = updates({ hub, after: '7' });
  expect((await lines.next()).value).toMatchObject({ uri: 'n://8', cursor: '8' });
  expect(asked).toEqual(['7']);
  await lines.return();
});

it('disconnects from the hub when its consumer stops, also while waiting for a line', async () => {
  const { hub, server } = await startHub(() => undefined);
  const lines = updates({ hub });
  const next = lines.next();
  const [, answer] = await once(server, 'request');
  const gone = once(answer, 'close');
  expect(await lines.return()).toEqual({ done: true, value: undefined });
  expect(await next).toEqual({ done: true, value: undefined });
  await gone;
});

it.each([undefined, 5, 'nonsense', '/', 'ftp://127.0.0.1'])('refuse %j, which is not the address of a hub', (hub) => {
  expect(() => updates(Object.assign(JSON.parse('{}'), { hub }))).toThrow('"hub" must be the address of a hub');
});
