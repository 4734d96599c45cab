import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { callbackServer } from './callback-server.ts';

it('closes although the browser has left while the login was completed', async () => {
  let complete: () => void = () => undefined;
  let began: () => void = () => undefined;
  const isAsked = new Promise<void>((resolve) => (began = resolve));
  const server = await callbackServer([0], async () => {
    began();
    await new Promise<void>((resolve) => (complete = resolve));
    return { status: 200, words: 'Done.' };
  });
  const browser = connect(Number(new URL(server.redirectUri).port), '127.0.0.1');
  browser.write('GET /callback?code=x HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await isAsked;
  browser.destroy();
  await once(browser, 'close');
  // The server notices it in its own turn.
  const closing = server.close();
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  complete();
  await expect(closing).resolves.toBeUndefined();
});
