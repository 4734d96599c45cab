import { type ServerResponse, createServer } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { requestIdIn, guardSize } from './size-guard.ts';

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

async function serve(answer: (res: ServerResponse) => void): Promise<AsyncDisposable & { url: string }> {
  const server = createServer((_, res) => answer(res));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
}

describe('a response over HTTP', () => {
  it('that is too large as JSON fails with a code', async () => {
    const guarded = guardSize(response('application/json', '{"a":', `"${'x'.repeat(100)}"}`), { maxBytes: 50 });
    await expect(guarded.json()).rejects.toMatchObject({ code: 'RESPONSE_TOO_LARGE' });
  });

  it('that is too large as an event is answered with an error, and the stream is over', async () => {
    const chunks = ['data: {"small":1}\n\n', `data: ${'x'.repeat(40)}`, 'x'.repeat(40), 'x\n\ndata: {"next":2}\n\n'];
    const text = await guardSize(response('text/event-stream', ...chunks), { maxBytes: 50, id: 9 }).text();
    const events = text.split('\n\n').filter((block) => block.trim() !== '');
    expect(events[0]).toBe('data: {"small":1}');
    expect(JSON.parse(events[2]?.replace('data: ', '') ?? '')).toMatchObject({
      id: 9,
      error: { data: { code: 'RESPONSE_TOO_LARGE' } },
    });
    expect(events).toHaveLength(3);
  });

  it('is not limited if it is an endless stream of small events', async () => {
    const chunks = Array.from({ length: 100 }, (_, n) => `data: ${n}\n\n`);
    const text = await guardSize(response('text/event-stream; charset=utf-8', ...chunks), { maxBytes: 20 }).text();
    expect(text).toBe(chunks.join(''));
  });

  it('belongs to the request in the body', () => {
    expect(requestIdIn('{"jsonrpc":"2.0","id":4,"method":"x"}')).toBe(4);
    expect(requestIdIn('{"jsonrpc":"2.0","method":"x"}')).toBeUndefined();
    expect(requestIdIn(undefined)).toBeUndefined();
  });
});

describe('a compressed response over HTTP', () => {
  it('counts with its decompressed size, and is not read to its end', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, ' '));
    await using server = await serve((res) => {
      res.writeHead(200, {
        'content-type': 'application/json',
        'content-encoding': 'gzip',
        'content-length': bomb.length,
      });
      res.end(bomb);
    });
    const guarded = guardSize(await fetch(server.url), { maxBytes: 1024 * 1024 });
    await expect(guarded.json()).rejects.toMatchObject({ code: 'RESPONSE_TOO_LARGE' });
  });

  it('counts with its decompressed size in an event stream too', async () => {
    const bomb = gzipSync(Buffer.concat([Buffer.from('data: '), Buffer.alloc(50 * 1024 * 1024, ' ')]));
    await using server = await serve((res) => {
      res.writeHead(200, { 'content-type': 'Text/Event-Stream', 'content-encoding': 'gzip' });
      res.end(bomb);
    });
    const text = await guardSize(await fetch(server.url), { maxBytes: 1024 * 1024, id: 1 }).text();
    expect(text.length).toBeLessThan(2 * 1024 * 1024);
    expect(text).toContain('RESPONSE_TOO_LARGE');
  });
});

describe('an event', () => {
  const stream = (...chunks: string[]) => response('text/event-stream', ...chunks);

  it('of many lines that never ends is refused', async () => {
    const lines = Array.from({ length: 100 }, () => 'data: x\n');
    await expect(guardSize(stream(...lines), { maxBytes: 100 }).text()).rejects.toMatchObject({
      code: 'RESPONSE_TOO_LARGE',
    });
  });

  it('is reported if it is refused while no request waits', async () => {
    let refused = 0;
    const limit = { maxBytes: 100, refused: () => void (refused += 1) };
    await guardSize(stream(`data: ${'x'.repeat(200)}`), limit)
      .text()
      .catch(() => undefined);
    expect(refused).toBe(1);
  });

  it('may be preceded by any number of comments', async () => {
    const comments = Array.from({ length: 1000 }, () => ': still here\n').join('');
    expect(await guardSize(stream(comments), { maxBytes: 100 }).text()).toBe(comments);
  });

  it('may end in any line break, which becomes a line feed', async () => {
    for (const end of ['\n\n', '\r\r', '\r\n\r\n']) {
      const events = Array.from({ length: 50 }, (_, n) => `data: ${n}${end}`);
      const lines = events.join('').replaceAll(/\r\n?/g, '\n');
      expect(await guardSize(stream(...events), { maxBytes: 20 }).text()).toBe(lines);
      const bytes = events.join('').split('');
      expect(await guardSize(stream(...bytes), { maxBytes: 20 }).text()).toBe(lines);
    }
  });
});

describe('a response over HTTP that is nested too deeply', () => {
  const deep = `{"id":1,"result":{"_meta":${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}}}`;
  const text = `{"id":1,"result":{"text":${JSON.stringify('[{'.repeat(5000))}}}`;

  it('is refused as JSON, in pieces of any size', async () => {
    const pieces = deep.match(/.{1,7}/g) ?? [];
    const guarded = guardSize(response('application/json', ...pieces), { maxBytes: 1_000_000 });
    await expect(guarded.json()).rejects.toMatchObject({ code: 'RESPONSE_TOO_LARGE' });
  });

  it('is refused as an event, also after a byte order mark and a quote in another field', async () => {
    for (const before of ['', 'id: "\n', '\ufeff', ': "\n', 'data: 1\n\n']) {
      const answer = await guardSize(response('text/event-stream', `${before}data: ${deep}\n\n`), {
        maxBytes: 1_000_000,
        id: 1,
      }).text();
      expect(answer).toContain('nests deeper');
    }
  });

  it('is not confused with brackets in a text', async () => {
    const limit = { maxBytes: 1_000_000, id: 1 };
    expect(await guardSize(response('application/json', text), limit).text()).toBe(text);
    expect(await guardSize(response('text/event-stream', `data: ${text}\n\n`), limit).text()).toBe(`data: ${text}\n\n`);
  });

  it('or has too many values is refused', async () => {
    const wide = `[${'[],'.repeat(1_000_001)}[]]`;
    const guarded = guardSize(response('application/json', wide), { maxBytes: 16 * 1024 * 1024 });
    await expect(guarded.json()).rejects.toThrow('values');
  });
});
