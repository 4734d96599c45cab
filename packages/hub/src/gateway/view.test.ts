import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { liveServer, systemClock } from '@tidings/live';
import { emptyCatalog } from '@tidings/track/internal';
import { expect, it } from 'vitest';
import { Grant } from '../access/grant.ts';
import { Views } from './view.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');
const megabyte = 1024 * 1024;

function heldMegabytes(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed / megabyte;
}

it('a redacted caller leaves no watcher behind, however many URIs it tries', async () => {
  const server = liveServer({ name: 'conversations', version: '1.0.0' });
  server.resource('call://{id}', { read: () => 'text' });
  const views = new Views({ redacts: () => true, open: async () => server }, systemClock);
  const upstream = {
    id: 'calls',
    entry: { id: 'calls', builtin: 'calls', enabled: true, trackResources: false },
    catalog: emptyCatalog,
    read: () => expect.fail('Reads of others are not for this caller.'),
    use: () => expect.fail('The connection of others is not for this caller.'),
  };
  const view = views.of(upstream, { auth: { subject: 'REDACTED', grant: new Grant({ redact: 'contact-details' }) } });
  expect(await view.read('call://a')).toMatchObject({ contents: [{ text: 'text' }] });
  const before = heldMegabytes();
  for (let n = 0; n < 40; n += 1) {
    const uri = `call://${n}${Buffer.alloc(megabyte, 'x').toString('latin1')}`;
    await view.read(uri).catch(() => undefined);
  }
  expect(heldMegabytes() - before).toBeLessThan(20);
  await views.close();
  await server.close();
});
