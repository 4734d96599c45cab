import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import { inspect } from 'node:util';
import { LiveError } from '@tidings/live';
import { FakeClock, eventually } from '@tidings/live/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DeliveryError } from './delivery-error.ts';
import type { Push } from './destination.ts';
import { type NtfyOptions, ntfyDestination } from './ntfy-destination.ts';

const shown = { topic: 'team-alerts', message: 'Hello' };
const push: Push = { id: 'n1', at: 0, ...shown };

function ntfyNotifier(options: NtfyOptions): (push: Push) => Promise<void> {
  const destination = ntfyDestination(options);
  return (each) => destination.send(each);
}
const token = 'tk_very_secret';

interface Received {
  method: string | undefined;
  path: string | undefined;
  authorization: string | undefined;
  contentType: string | undefined;
  body: unknown;
}

describe('the ntfy notifier', () => {
  let server: Server;
  let url: string;
  let received: Received[];
  let answer: (response: ServerResponse) => void;

  beforeEach(async () => {
    received = [];
    answer = (response) => response.end('{"id":"x"}');
    server = createServer((request, response) => {
      void read(request).then((body) => {
        const { method, url: path, headers } = request;
        const { authorization, 'content-type': contentType } = headers;
        received.push({ method, path, authorization, contentType, body: JSON.parse(body) });
        answer(response);
      });
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${portOf(server)}`;
  });

  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => void server.close(resolve));
  });

  it('publishes as JSON to the base address', async () => {
    await ntfyNotifier({ url })(push);
    expect(received).toEqual([
      { method: 'POST', path: '/', authorization: undefined, contentType: 'application/json', body: shown },
    ]);
  });

  it('sends all fields of a notification, with the path of the address', async () => {
    const full: Push = {
      ...push,
      title: 'Title',
      priority: 5,
      tags: ['warning'],
      markdown: true,
      click: 'https://example.com',
      icon: 'https://example.com/icon.png',
      attach: 'https://example.com/file.pdf',
      filename: 'file.pdf',
      actions: [{ action: 'view', label: 'Open', url: 'https://example.com' }],
    };
    const { id: _id, at: _at, ...fields } = full;
    await ntfyNotifier({ url: `${url}/ntfy` })(full);
    expect(received[0]).toMatchObject({ path: '/ntfy', body: fields });
  });

  it('sends the token in its header', async () => {
    await ntfyNotifier({ url, token })(push);
    expect(received[0]?.authorization).toBe(`Bearer ${token}`);
  });

  it.each([
    [400, 'INVALID_PARAMS', false],
    [401, 'PERMISSION_DENIED', false],
    [403, 'PERMISSION_DENIED', false],
    [404, 'UNAVAILABLE', false],
    [413, 'INVALID_PARAMS', false],
    [429, 'LIMIT_EXCEEDED', true],
    [500, 'UNAVAILABLE', true],
    [503, 'UNAVAILABLE', true],
    [301, 'UNAVAILABLE', false],
  ] as const)('says what a %i means', async (status, code, isTemporary) => {
    answer = (response) => {
      response.writeHead(status, { 'content-type': 'application/json', location: '/elsewhere' });
      response.end('{"code":1,"error":"because of that"}');
    };
    const error = await failure(ntfyNotifier({ url, token })(push));
    expect(error).toMatchObject({ code, isTemporary, retryAfterMs: undefined });
    expect(error.message).toContain(`${new URL(url).host} answered ${status} (because of that)`);
    expect(received).toHaveLength(1);
  });

  it.each([
    ['30', 30_000],
    ['Thu, 01 Jan 1970 00:01:40 GMT', 40_000],
    ['Thu, 01 Jan 1970 00:00:10 GMT', undefined],
    ['soon', undefined],
  ])('hands on a Retry-After of %s', async (value, retryAfterMs) => {
    answer = (response) => response.writeHead(429, { 'retry-after': value }).end();
    const clock = new FakeClock();
    clock.advance(60_000);
    expect(await failure(ntfyNotifier({ url, clock })(push))).toMatchObject({ isTemporary: true, retryAfterMs });
  });

  it('stops waiting for a response after its time limit', async () => {
    answer = () => undefined;
    const clock = new FakeClock();
    const sending = failure(ntfyNotifier({ url, clock, timeoutMs: 10_000 })(push));
    await eventually('the request', () => received.length > 0);
    clock.advance(10_000);
    expect(await sending).toMatchObject({ code: 'UNAVAILABLE', isTemporary: true });
    expect((await sending).message).toContain('did not answer within 10 s');
  });

  it('stops waiting for the rest of a response after its time limit', async () => {
    answer = (response) => response.writeHead(500).write('{"error":');
    const clock = new FakeClock();
    let error: DeliveryError | undefined;
    void failure(ntfyNotifier({ url, clock })(push)).then((failed) => (error = failed));
    await eventually('the request', () => received.length > 0);
    await eventually('the end', () => {
      clock.advance(10_000);
      return error;
    });
    expect(error).toMatchObject({ isTemporary: true });
  });

  it('reads only the needed part of a response', async () => {
    let isOpen = true;
    answer = (response) => {
      response.once('close', () => {
        isOpen = false;
      });
      response.writeHead(500);
      response.write('x'.repeat(100_000));
    };
    const error = await failure(ntfyNotifier({ url })(push));
    expect(error.message.length).toBeLessThan(100);
    await eventually('the connection to be let go', () => !isOpen);
  });

  it('reports that no server answers', async () => {
    const gone = createServer();
    await new Promise<void>((resolve) => void gone.listen(0, '127.0.0.1', resolve));
    const port = portOf(gone);
    await new Promise((resolve) => void gone.close(resolve));
    const error = await failure(ntfyNotifier({ url: `http://127.0.0.1:${port}` })(push));
    expect(error).toMatchObject({ code: 'UNAVAILABLE', isTemporary: true });
    expect(error.message).toBe(`127.0.0.1:${port} cannot be reached (ECONNREFUSED).`);
  });

  it('never shows the token', async () => {
    const answers = [400, 401, 429, 500].map(
      (status) => (response: ServerResponse) => response.writeHead(status).end(),
    );
    for (const each of answers) {
      answer = each;
      const error = await failure(ntfyNotifier({ url, token })(push));
      expect(inspect(error)).not.toContain(token);
    }
    expect(() => ntfyNotifier({ url, token: `${token}\n` })).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining(token) }),
    );
  });

  it.each(['ntfy.sh', 'ftp://ntfy.sh', '', 'https://user:secret@ntfy.sh'])('refuses the address %j', (address) => {
    expect(() => ntfyNotifier({ url: address })).toThrow(LiveError);
    expect(() => ntfyNotifier({ url: address })).not.toThrow('secret');
  });

  it('says where notifications go', () => {
    expect(ntfyDestination().words).toBe('ntfy at https://ntfy.sh');
    expect(ntfyDestination({ url: 'http://127.0.0.1:99/' }).words).toBe('ntfy at http://127.0.0.1:99');
  });
});

async function failure(sending: Promise<void>): Promise<DeliveryError> {
  const error: unknown = await sending.catch((error: unknown) => error);
  if (error instanceof DeliveryError) return error;
  throw new Error('It did not fail as a delivery does.', { cause: error });
}

async function read(request: IncomingMessage): Promise<string> {
  request.setEncoding('utf8');
  let body = '';
  for await (const chunk of request) body += String(chunk);
  return body;
}

function portOf(server: Server): number {
  const address = server.address();
  if (typeof address !== 'object' || !address) throw new Error('The server is not listening.');
  return address.port;
}
