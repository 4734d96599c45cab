import { afterEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod/mini';
import { HubError, requestJson } from './hub-request.ts';

const schema = z.object({ count: z.number() });
const answering = (answer: Response) => vi.stubGlobal('fetch', async () => answer);

describe('a request to the hub', () => {
  afterEach(() => vi.unstubAllGlobals());

  it('resolves with the validated JSON', async () => {
    answering(Response.json({ count: 2 }));
    expect(await requestJson('/api/x', schema)).toEqual({ count: 2 });
  });

  it.each([
    ['JSON of another shape', Response.json({ count: '2' })],
    ['a page instead of JSON', new Response('<html>')],
  ])('rejects %s', async (_, answer) => {
    answering(answer);
    await expect(requestJson('/api/x', schema)).rejects.toThrow(z.core.$ZodError);
  });

  it.each([
    [
      'the message of the hub',
      Response.json({ error: { code: 'NOT_FOUND', message: 'No such server.' } }, { status: 404 }),
      'No such server.',
    ],
    ['the status without a message', new Response('<html>', { status: 502 }), 'The hub answered 502.'],
  ])('fails with %s', async (_, answer, message) => {
    answering(answer);
    const error: unknown = await requestJson('/api/x', schema).catch((failure: unknown) => failure);
    expect(error).toBeInstanceOf(HubError);
    expect(error).toMatchObject({ message, status: answer.status });
  });

  it.each([
    ['before', async () => Promise.reject(new TypeError('Failed to fetch'))],
    [
      'during',
      async () => new Response(new ReadableStream({ start: (body) => body.error(new TypeError('network error')) })),
    ],
  ])('says that the hub does not answer, if the connection is lost %s the response', async (_, lost) => {
    vi.stubGlobal('fetch', lost);
    await expect(requestJson('/api/x', schema)).rejects.toThrow('The hub does not answer.');
  });

  it('ends when its caller aborts it', async () => {
    vi.stubGlobal('fetch', (_path: string, { signal }: RequestInit) => {
      return new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(new Error('aborted')));
      });
    });
    const controller = new AbortController();
    const ending = expect(requestJson('/api/x', schema, { signal: controller.signal })).rejects.toThrow('aborted');
    controller.abort();
    await ending;
  });
});
