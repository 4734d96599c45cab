import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse, createServer, get } from 'node:http';
import { waitingBytes } from '@tidings/live/internal';
import { FakeClock, eventually } from '@tidings/live/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Grant } from '../../access/grant.ts';
import { hubQuotas } from '../../access/hub-quotas.ts';
import { Tokens } from '../../access/token/tokens.ts';
import { OpenAnswers } from './open-answers.ts';

const size = 24 * 1024 * 1024;
const minute = 60_000;
let clock: FakeClock;
let res: ServerResponse;
let client: IncomingMessage;
let close: () => Promise<void>;

beforeEach(async () => {
  clock = new FakeClock();
  const tokens = new Tokens({ config: { tokens: [] }, env: {} });
  const quotas = hubQuotas({ clock, config: () => ({ tokens: [] }), tokens: () => tokens });
  const open = new OpenAnswers({ quotas, clock });
  const http = createServer((_req, response) => {
    res = response;
    open.add(response, { principal: { subject: 'ada', grant: new Grant() } });
    open.keep(response, size);
    response.end(Buffer.alloc(size));
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const address = http.address();
  const port = typeof address === 'object' && address ? address.port : undefined;
  [client] = await once(get({ port, host: '127.0.0.1', agent: false }), 'response');
  close = async () => {
    open.close();
    client.destroy();
    http.closeAllConnections();
    await new Promise<void>((resolve) => void http.close(() => resolve()));
  };
});
afterEach(() => close());

async function readSome(bytes: number): Promise<void> {
  let received = 0;
  const before = String(waitingBytes(res));
  await new Promise<void>((resolve) => {
    const take = (chunk: Buffer) => {
      received += chunk.length;
      if (received < bytes) return;
      client.off('data', take).pause();
      resolve();
    };
    client.on('data', take).resume();
  });
  await eventually('more to leave', () => String(waitingBytes(res)) !== before);
}

it('a large response that its client reads slowly stays open', async () => {
  client.pause();
  for (let n = 0; n < 6; n += 1) {
    clock.advance(9 * minute);
    expect(res.destroyed).toBe(false);
    await readSome(3 * 1024 * 1024);
  }
});

it('a response of which its client reads nothing for ten minutes is closed', async () => {
  client.pause();
  clock.advance(minute);
  await readSome(3 * 1024 * 1024);
  clock.advance(10 * minute);
  expect(res.destroyed).toBe(false);
  clock.advance(2 * minute);
  expect(res.destroyed).toBe(true);
});
