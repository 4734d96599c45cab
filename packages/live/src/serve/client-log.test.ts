import { Client } from '@modelcontextprotocol/client';
import { LOG_LEVEL_META_KEY } from '@modelcontextprotocol/server';
import { expect, it } from 'vitest';
import { liveServer } from '../live-server.ts';
import { serveMemory } from './memory.ts';

it.each(['auto', 'legacy'] as const)('a prompt logs for its client too (%s)', async (mode) => {
  const server = liveServer({ name: 'test', version: '1.0.0', capabilities: { logging: {} } });
  server.prompt('quiet', {}, (_args, { log }) => {
    log('error', { step: 1 });
    return 'Hush.';
  });
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } });
  const logged: unknown[] = [];
  client.setNotificationHandler('notifications/message', ({ params }) => void logged.push(params));
  await client.connect(serveMemory(server));
  await client.getPrompt({ name: 'quiet', _meta: { [LOG_LEVEL_META_KEY]: 'debug' } });
  expect(logged).toEqual([{ level: 'error', data: { step: 1 } }]);
  await client.close();
});
