// A server that redirects the hub to an address that only the hub's machine can reach.
import { createServer } from 'node:http';
import { eventually } from '@tidings/live/testing';
import { expect, it, onTestFinished } from 'vitest';
import { NotesUpstream } from './notes-upstream.ts';
import { runningHub } from './running-hub.ts';

it('a redirect to another origin is not followed, and the reason is shown', async () => {
  await using inside = await NotesUpstream.start('modern');
  inside.put('secret', 'for this machine alone');
  const { url } = inside.entry('inside');
  const server = createServer((_, res) => void res.writeHead(307, { location: url }).end());
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const entry = { ...inside.entry('outside'), url: `http://127.0.0.1:${port}/mcp` };
  await using hub = await runningHub({ servers: [entry] });
  const status = await eventually('the reason', () => {
    const now = hub.status('outside');
    return now?.state === 'live' || now?.detail.includes('Redirect') ? now : undefined;
  });
  expect(status).toMatchObject({ resources: 0, detail: expect.stringContaining(`Redirect to ${url} not followed`) });
  expect(status.state).not.toBe('live');
});
