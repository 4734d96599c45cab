import { describe, expect, it } from 'vitest';
import { answeredBy, guardSize } from './size-guard.ts';

function response(type: string, ...chunks: string[]): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(encoder.encode(chunk));
      controller.close();
    },
  });
  return new Response(body, { headers: { 'content-type': type } });
}

describe('an answer over HTTP', () => {
  it('that is too large as JSON fails with a code', async () => {
    const guarded = guardSize(response('application/json', '{"a":', `"${'x'.repeat(100)}"}`), { maxBytes: 50 });
    await expect(guarded.json()).rejects.toMatchObject({ code: 'RESPONSE_TOO_LARGE' });
  });

  it('that is too large as an event is answered with an error, and the stream goes on', async () => {
    const chunks = ['data: {"small":1}\n\n', `data: ${'x'.repeat(40)}`, 'x'.repeat(40), 'x\n\ndata: {"next":2}\n\n'];
    const text = await guardSize(response('text/event-stream', ...chunks), { maxBytes: 50, id: 9 }).text();
    const events = text.split('\n\n').filter((block) => block.trim() !== '');
    expect(events[0]).toBe('data: {"small":1}');
    expect(JSON.parse(events[2]?.replace('data: ', '') ?? '')).toMatchObject({
      id: 9,
      error: { data: { code: 'RESPONSE_TOO_LARGE' } },
    });
    expect(events.at(-1)).toBe('data: {"next":2}');
  });

  it('that goes on for ever in small events is left alone', async () => {
    const chunks = Array.from({ length: 100 }, (_, n) => `data: ${n}\n\n`);
    const text = await guardSize(response('text/event-stream; charset=utf-8', ...chunks), { maxBytes: 20 }).text();
    expect(text).toBe(chunks.join(''));
  });

  it('belongs to the request in the body', () => {
    expect(answeredBy('{"jsonrpc":"2.0","id":4,"method":"x"}')).toBe(4);
    expect(answeredBy('{"jsonrpc":"2.0","method":"x"}')).toBeUndefined();
    expect(answeredBy(undefined)).toBeUndefined();
  });
});
