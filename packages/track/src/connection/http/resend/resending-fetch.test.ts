import { FakeClock } from '@tidings/live/testing';
import { describe, expect, it } from 'vitest';
import { withRetransmission } from '../../../base/with-retransmission.ts';
import { Resending } from './resending.ts';
import { resendingFetch } from './resending-fetch.ts';

interface Sent {
  isAborted: boolean;
  answer(text: string): void;
}

class Setting {
  readonly clock = new FakeClock();
  readonly sent: Sent[] = [];
  readonly overtaken: number[] = [];
  readonly resending = new Resending({
    clock: this.clock,
    lateMs: 3000,
    overtaken: (sentAt) => void this.overtaken.push(sentAt),
  });
  readonly #fetch = resendingFetch((_, init) => this.#send(init ?? {}), this.resending);

  ask(method: string, signal?: AbortSignal): Promise<string> {
    const body = JSON.stringify({ method, params: {}, jsonrpc: '2.0', id: 1 });
    const request = { method: 'POST', body, ...(signal && { signal }) };
    return this.#fetch('http://server', request).then((response) => response.text());
  }

  /** Sends a request that the server answers at once. */
  async answered(method: string, text: string): Promise<void> {
    const answer = this.ask(method);
    this.sent.at(-1)?.answer(text);
    await answer;
  }

  get(): Promise<string> {
    return this.#fetch('http://server', { method: 'GET' }).then((response) => response.text());
  }

  #send({ signal }: RequestInit): Promise<Response> {
    return new Promise((resolve, reject) => {
      const sent: Sent = {
        isAborted: false,
        answer: (text) => resolve(new Response(text)),
      };
      signal?.addEventListener('abort', () => {
        sent.isAborted = true;
        reject(new Error('aborted'));
      });
      this.sent.push(sent);
    });
  }
}

async function settle(): Promise<void> {
  for (let n = 0; n < 10; n += 1) await Promise.resolve();
}

describe('a request', () => {
  it('that waits on a dead connection is sent again, without effect on its caller', async () => {
    const s = new Setting();
    const answer = s.ask('resources/read');
    s.clock.advance(5000);
    s.resending.renew(s.clock.now());
    await settle();
    expect(s.sent.map(({ isAborted }) => isAborted)).toEqual([true, false]);
    s.sent[1]?.answer('text');
    expect(await answer).toBe('text');
  });

  it('that is a read has no copies, because its caller repeats it', async () => {
    const s = new Setting();
    const read = s.ask('resources/read');
    s.clock.advance(1);
    await s.answered('ping', 'text');
    s.clock.advance(100_000);
    expect(s.sent).toHaveLength(2);
    s.sent[0]?.answer('text');
    expect(await read).toBe('text');
  });

  it('that was sent later, or has side effects, is not sent again', async () => {
    const s = new Setting();
    const [call, read] = [s.ask('tools/call'), s.ask('resources/read')];
    s.resending.renew(s.clock.now());
    s.clock.advance(1);
    s.resending.renew(s.clock.now() - 1);
    await settle();
    expect(s.sent.map(({ isAborted }) => isAborted)).toEqual([false, false]);
    for (const sent of s.sent) sent.answer('done');
    expect(await Promise.all([call, read])).toEqual(['done', 'done']);
    s.resending.renew(Number.POSITIVE_INFINITY);
    expect(s.sent).toHaveLength(2);
  });

  it('is not sent again once its caller has cancelled it', async () => {
    const s = new Setting();
    const asker = new AbortController();
    const answer = s.ask('resources/list', asker.signal);
    asker.abort();
    s.resending.renew(Number.POSITIVE_INFINITY);
    await expect(answer).rejects.toThrow('aborted');
    expect(s.sent).toHaveLength(1);
  });

  it('that waits while a later one is answered is sent on another connection too', async () => {
    const s = new Setting();
    const first = s.ask('resources/list');
    s.clock.advance(1000);
    await s.answered('resources/list', 'list');
    s.clock.advance(2000);
    expect(s.sent.map(({ isAborted }) => isAborted)).toEqual([false, false, false]);
    s.sent[2]?.answer('text');
    expect(await first).toBe('text');
    await settle();
    expect(s.sent[0]?.isAborted).toBe(true);
    expect(s.overtaken).toEqual([0]);
  });

  it('that is only slow is answered by the first copy', async () => {
    const s = new Setting();
    const first = s.ask('resources/list');
    s.clock.advance(1000);
    await s.answered('resources/list', 'list');
    s.clock.advance(2000);
    s.sent[0]?.answer('slow');
    expect(await first).toBe('slow');
    await settle();
    expect(s.sent[2]?.isAborted).toBe(true);
    expect(s.overtaken).toEqual([]);
    s.clock.advance(100_000);
    expect(s.sent).toHaveLength(3);
  });

  it('that was sent again several times, and waits on yet another dead connection, is sent on another one', async () => {
    const s = new Setting();
    const list = s.ask('resources/list');
    for (let time = 0; time < 3; time += 1) {
      s.clock.advance(10);
      s.resending.renew(s.clock.now());
    }
    s.clock.advance(10);
    await s.answered('ping', 'pong');
    s.clock.advance(3000);
    s.sent[5]?.answer('list');
    expect(await list).toBe('list');
  });

  it('sends no copies while the server answers no request', async () => {
    const s = new Setting();
    void s.ask('resources/list');
    s.clock.advance(29_000);
    expect(s.sent).toHaveLength(1);
  });

  it.each(['GET', 'subscriptions/listen'])('for a stream (%s) is sent again too', async (method) => {
    const s = new Setting();
    const stream = method === 'GET' ? s.get() : s.ask(method);
    s.clock.advance(100);
    await s.answered('ping', 'pong');
    s.clock.advance(3000);
    expect(s.sent).toHaveLength(3);
    s.sent[2]?.answer('data: {}');
    expect(await stream).toBe('data: {}');
    expect(s.sent[0]?.isAborted).toBe(true);
    expect(s.overtaken).toEqual([0]);
  });

  it('that waits soon after a dead connection was found is sent again sooner', async () => {
    const s = new Setting();
    s.resending.renew(0);
    const read = s.ask('resources/list');
    s.clock.advance(100);
    await s.answered('ping', 'pong');
    s.clock.advance(700);
    expect(s.sent).toHaveLength(3);
    s.sent[2]?.answer('text');
    expect(await read).toBe('text');
    s.clock.advance(5000);
    void s.ask('resources/list').catch(() => undefined);
    s.clock.advance(100);
    await s.answered('ping', 'pong');
    s.clock.advance(2800);
    expect(s.sent).toHaveLength(5);
  });

  it('has up to four times as much time if every response takes long', async () => {
    const s = new Setting();
    const waiting = s.ask('resources/list');
    s.clock.advance(100);
    const slow = s.ask('resources/list');
    s.clock.advance(2500);
    s.sent[1]?.answer('list');
    await slow;
    // Late after 3 × 2500 ms instead of 3000.
    s.clock.advance(4800);
    expect(s.sent).toHaveLength(2);
    s.clock.advance(200);
    expect(s.sent).toHaveLength(3);
    s.sent[2]?.answer('text');
    expect(await waiting).toBe('text');
    const slowest = s.ask('resources/list');
    s.clock.advance(100_000);
    s.sent[3]?.answer('list');
    await slowest;
    void s.ask('resources/list').catch(() => undefined);
    s.clock.advance(1);
    await s.answered('ping', 'pong');
    s.clock.advance(11_900);
    expect(s.sent).toHaveLength(6);
    s.clock.advance(200);
    expect(s.sent).toHaveLength(7);
  });
});

it('a repeated request has three copies in all', async () => {
  const clock = new FakeClock();
  let sent = 0;
  const resending = new Resending({ clock, lateMs: 3000, overtaken: () => undefined });
  const slow = withRetransmission(clock, [4000, 8000], (copies) =>
    resending.send(() => {
      sent += 1;
      const isFirst = sent === 1;
      const answer = new Promise<string>((resolve) => {
        if (isFirst) clock.after(15_000, () => resolve('slow'));
      });
      return { answer, cancel: () => undefined };
    }, copies),
  );
  // The server answers other requests meanwhile, so a dead connection is suspected.
  for (let second = 0; second < 15; second += 1) {
    await resending.send(() => ({ answer: Promise.resolve('quick'), cancel: () => undefined })).answer;
    clock.advance(1000);
  }
  expect(await slow).toBe('slow');
  expect(sent).toBe(3);
});
