// Requests of extensions of the protocol.
import { LiveError, liveServer, serveHttp } from '@tidings/live';
import { expect, it } from 'vitest';
import { ask } from '../support/wire/raw-http.ts';

it('requests of extensions are answered for modern clients', async () => {
  const log = { warn: () => undefined, error: () => undefined };
  const server = liveServer({
    name: 'jobs',
    version: '1.0.0',
    log,
    capabilities: { extensions: { 'example.com/jobs': {} } },
    requests: {
      'example/echo': async ({ said }, { caller }) => ({ said, era: caller.era }),
      'example/refuse': async () => {
        throw new LiveError('LIMIT_EXCEEDED', 'Not now.');
      },
    },
  });
  const { url, close } = await serveHttp(server);
  const echo = await ask(url, 'modern', 'example/echo', { said: 'hello' });
  expect(echo.message.result).toMatchObject({ said: 'hello', era: 'modern' });
  const refused = await ask(url, 'modern', 'example/refuse');
  expect(refused.message.error).toMatchObject({ message: 'Not now.', data: { code: 'LIMIT_EXCEEDED' } });
  expect((await ask(url, 'modern', 'example/other')).message.error).toMatchObject({ code: -32601 });
  await close();
});
