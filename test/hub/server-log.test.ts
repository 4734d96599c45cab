// `GET /api/servers/{id}/log`: the stderr output of a server that the hub has started, and the reason of its crash.
import { serverLog } from '@tidings/client/contract';
import { eventually } from '@tidings/live/testing';
import { expect, it } from 'vitest';
import { runningHub } from './running-hub.ts';

it('the log of a crashed server has its last lines without secrets, and its state has the reason', async () => {
  const script = 'console.error("starting with " + process.env.KEY); throw new TypeError("no such folder")';
  await using hub = await runningHub({
    servers: [
      {
        id: 'crash',
        command: process.execPath,
        args: ['-e', script],
        env: { KEY: 'a-secret-key' },
        filledIn: ['a-secret-key'],
        enabled: true,
        trackResources: true,
      },
    ],
  });
  await eventually('its failure', () => hub.status('crash')?.state === 'backoff');
  expect(hub.status('crash')?.detail).toContain('It said: TypeError: no such folder');
  const { lines } = serverLog.parse(await hub.json('/api/servers/crash/log'));
  const text = lines.map((line) => line.text).join('\n');
  expect(text).toContain('starting with');
  expect(text).toContain('Node.js v');
  expect(text).not.toContain('a-secret-key');
  expect((await hub.get('/api/servers/none/log')).status).toBe(404);
});
