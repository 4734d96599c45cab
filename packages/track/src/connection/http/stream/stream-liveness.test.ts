import { FakeClock } from '@tidings/live/testing';
import { describe, expect, it } from 'vitest';
import { StreamLiveness } from './stream-liveness.ts';

class Setting {
  readonly clock = new FakeClock();
  readonly liveness = new StreamLiveness({ clock: this.clock, shortestMs: 1000, keepAlive: { ms: undefined } });

  /** A stream that the test writes to. */
  open() {
    const pipe = new TransformStream<Uint8Array, Uint8Array>();
    const writer = pipe.writable.getWriter();
    const stream = {
      isEnded: false,
      send: async (...texts: string[]) => {
        for (const text of texts) await stream.sendAfter(10_000, text);
      },
      sendAfter: async (ms: number, text: string) => {
        this.clock.advance(ms);
        await writer.write(new TextEncoder().encode(text));
      },
    };
    const { body } = this.liveness.watch(new Response(pipe.readable), { ended: () => (stream.isEnded = true) });
    void body?.pipeTo(new WritableStream()).catch(() => undefined);
    return stream;
  }

  async pass(ms: number): Promise<void> {
    this.clock.advance(ms);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const comment = ': keepalive\n\n';
const update = 'data: {}\n\n';

describe('a stream', () => {
  it('that misses a keep-alive comment is ended', async () => {
    const s = new Setting();
    const stream = s.open();
    await stream.send(comment, comment, comment);
    await s.pass(1000);
    await stream.send(update);
    await s.pass(12_900);
    expect(stream.isEnded).toBe(false);
    await s.pass(200);
    expect(stream.isEnded).toBe(true);
  });

  it('opened later uses the interval learned on earlier ones, which are gone', async () => {
    const s = new Setting();
    const earlier = s.open();
    await earlier.send(comment, comment, comment);
    const later = s.open();
    await s.pass(12_900);
    expect(later.isEnded).toBe(false);
    await s.pass(200);
    expect(later.isEnded).toBe(true);
  });

  it('is ended when it was silent together with the server', async () => {
    const s = new Setting();
    const [heard, silent] = [s.open(), s.open()];
    const since = s.clock.now() + 5000;
    await heard.sendAfter(6000, update);
    s.liveness.endSilent(since);
    await s.pass(0);
    expect([heard.isEnded, silent.isEnded]).toEqual([false, true]);
  });

  it.each([
    ['never had a keep-alive interval', [update, update, update]],
    ['only began with a comment', [comment, update, update]],
    ['has its comments between updates', [comment, update, comment, update]],
  ])('that %s may be silent for a while, the next one for longer', async (_, texts) => {
    const s = new Setting();
    const first = s.open();
    await first.send(...texts);
    await s.pass(17_100);
    expect(first.isEnded).toBe(true);
    for (const silenceMs of [34_000, 68_000, 136_000, 272_000, 300_000, 300_000]) {
      const stream = s.open();
      await s.pass(silenceMs - 100);
      expect(stream.isEnded).toBe(false);
      await s.pass(200);
      expect(stream.isEnded).toBe(true);
    }
    const last = s.open();
    await last.send(update);
    await s.pass(17_100);
    expect(last.isEnded).toBe(true);
  });

  it('whose interval becomes known is ended by it, not later', async () => {
    const s = new Setting();
    const stream = s.open();
    for (let n = 0; n < 3; n += 1) await stream.sendAfter(5000, comment);
    await s.pass(6600);
    expect(stream.isEnded).toBe(false);
    await s.pass(200);
    expect(stream.isEnded).toBe(true);
  });

  it('that is never silent between its comments uses their interval until it is', async () => {
    const s = new Setting();
    const busy = s.open();
    await busy.send(comment, update, comment, update, comment);
    await s.pass(25_400);
    expect(busy.isEnded).toBe(false);
    await s.pass(200);
    expect(busy.isEnded).toBe(true);
    const quiet = s.open();
    await quiet.send(comment, comment, comment, comment, comment);
    await s.pass(13_100);
    expect(quiet.isEnded).toBe(true);
  });

  it('that is greeted just before the server sends its comments to all uses their interval', async () => {
    const s = new Setting();
    const stream = s.open();
    await stream.sendAfter(0, comment);
    await stream.sendAfter(2000, comment);
    await s.pass(5000);
    expect(stream.isEnded).toBe(false);
    await stream.send(comment);
    await s.pass(19_200);
    expect(stream.isEnded).toBe(false);
    await s.pass(200);
    expect(stream.isEnded).toBe(true);
  });

  it('uses the interval of the streams before it', async () => {
    const s = new Setting();
    await s.open().send(comment, comment, comment);
    const stream = s.open();
    await s.pass(31_000);
    expect(stream.isEnded).toBe(true);
  });

  it('reports the last byte of the stream that was silent the longest', async () => {
    const s = new Setting();
    const [one, other] = [s.open(), s.open()];
    await one.sendAfter(1000, update);
    await other.sendAfter(1000, comment);
    expect(s.liveness.heardAt).toBe(s.clock.now() - 1000);
    await one.sendAfter(1000, update);
    expect(s.liveness.heardAt).toBe(s.clock.now() - 1000);
  });
});
