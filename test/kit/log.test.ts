// A pino logger as the log of a server: its lines contain the reasons of failures.
import { liveServer } from '@tidings/live';
import { connectMemory } from '@tidings/live/testing';
import { pino } from 'pino';
import { expect, it } from 'vitest';

it('a pino log has the reason of a failure, and the failed request', async () => {
  const lines: string[] = [];
  const log = pino({ base: null }, { write: (line: string) => void lines.push(line) });
  const server = liveServer({ name: 'test', version: '1.0.0', log });
  server.resource('note://{id}', { read: () => Promise.reject(new TypeError('the disk is on fire')) });
  const client = await connectMemory(server, 'modern');
  await expect(client.read('note://today')).rejects.toThrow('in its log');
  await client.close();
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({
      msg: 'A handler failed unexpectedly.',
      route: 'note://{id}',
      handler: 'read',
      uri: 'note://today',
      err: expect.objectContaining({ type: 'TypeError', message: 'the disk is on fire', stack: expect.any(String) }),
    }),
  ]);
});
