import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { updates } from './updates.ts';

it('leaves the hub when it is left, also while a line is waited for', async () => {
  const server = createServer((_, answer) => void answer.writeHead(200).write(': here\n\n'));
  onTestFinished(() => void server.close());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) expect.fail('It does not listen.');
  const lines = updates({ hub: `http://127.0.0.1:${address.port}` });
  const next = lines.next();
  const [, answer] = await once(server, 'request');
  const gone = once(answer, 'close');
  expect(await lines.return()).toEqual({ done: true, value: undefined });
  expect(await next).toEqual({ done: true, value: undefined });
  await gone;
});
