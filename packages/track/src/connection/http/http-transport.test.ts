import { Client } from '@modelcontextprotocol/client';
import { liveServer, serveHttp } from '@tidings/live';
import { type Era, eventually } from '@tidings/live/testing';
import { describe, expect, it, vi } from 'vitest';
import { HttpTransport } from './http-transport.ts';

interface Setting extends AsyncDisposable {
  client: Client;
  requests: RequestInit[];
  /** Of reads that the server does not answer. */
  hanging: RequestInit[];
}

async function open(era: Era): Promise<Setting> {
  const server = liveServer({ name: 'notes', version: '1.0.0' });
  server.resource('note://{name}', { read: ({ name }) => name });
  server.resource('never://{name}', { read: () => new Promise<string>(() => undefined) });
  const running = await serveHttp(server);
  const [requests, hanging]: [RequestInit[], RequestInit[]] = [[], []];
  const transport = new HttpTransport(new URL(running.url), {
    fetch: (input, init = {}) => {
      requests.push(init);
      if (typeof init.body === 'string' && init.body.includes('never://')) hanging.push(init);
      return fetch(input, init);
    },
  });
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(transport, era === 'legacy' ? { prior: { kind: 'legacy' } } : {});
  return {
    client,
    requests,
    hanging,
    [Symbol.asyncDispose]: async () => {
      await client.close();
      await running.close();
      await server.close();
    },
  };
}

describe.each(['modern', 'legacy'] as const)('a long session of the %s era over HTTP', (era) => {
  it('ties no request to a signal that lives as long as the session', async () => {
    await using s = await open(era);
    using any = vi.spyOn(AbortSignal, 'any');
    for (const uri of ['note://1', 'note://2']) await s.client.readResource({ uri }, { cacheMode: 'bypass' });
    expect(any).not.toHaveBeenCalled();
    const signals = s.requests.slice(-2).map(({ signal }) => signal);
    expect(signals[0]).not.toBe(signals[1]);
  });

  it('leaves no request behind when it is closed', async () => {
    await using s = await open(era);
    const reading = s.client.readResource({ uri: 'never://a' });
    await eventually('the request', () => s.hanging.length === 1);
    const ended = expect(reading).rejects.toThrow();
    await s.client.close();
    await ended;
    expect(s.hanging[0]?.signal?.aborted).toBe(true);
  });
});

it('ends only the cancelled request', async () => {
  await using s = await open('modern');
  const abort = new AbortController();
  const givenUp = s.client.readResource({ uri: 'never://a' }, { signal: abort.signal });
  const other = s.client.readResource({ uri: 'never://b' });
  await eventually('the requests', () => s.hanging.length === 2);
  const ended = [expect(givenUp).rejects.toThrow(), expect(other).rejects.toThrow()];
  abort.abort();
  await ended[0];
  expect(s.hanging.map(({ signal }) => signal?.aborted)).toEqual([true, false]);
  await s.client.close();
  await ended[1];
});
