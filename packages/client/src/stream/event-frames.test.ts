import { describe, expect, it } from 'vitest';
import { eventFrames } from './event-frames.ts';

async function framesIn(chunks: readonly Uint8Array[]) {
  let received = 0;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
  const frames = [];
  for await (const frame of eventFrames(body, () => (received += 1))) frames.push(frame);
  return { frames, received };
}

const bytes = (text: string) => new TextEncoder().encode(text);

describe('eventFrames', () => {
  it('are the events of the stream, with their ids', async () => {
    const text = 'retry: 5000\n\nid: 1\ndata: {"a":1}\n\n: heartbeat\n\ndata: two\ndata: lines\n\n';
    expect((await framesIn([bytes(text)])).frames).toEqual([
      { id: '1', data: '{"a":1}' },
      { id: undefined, data: 'two\nlines' },
    ]);
  });

  it('are the same for any division into chunks', async () => {
    const whole = bytes('id: 1\ndata: é😀\n\ndata: 2\n\n');
    const { frames } = await framesIn(Array.from(whole, (byte) => Uint8Array.of(byte)));
    expect(frames.map(({ data }) => data)).toEqual(['é😀', '2']);
  });

  it('omits an incomplete frame, and reports that bytes arrived', async () => {
    const { frames, received } = await framesIn([bytes(': comment\n\n'), bytes('data: half')]);
    expect([frames, received]).toEqual([[], 2]);
  });
});
