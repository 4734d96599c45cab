import { systemClock } from '@tidings/live';
import { expect, it } from 'vitest';
import { QstashRequests } from './qstash-requests.ts';

const megabyte = new Uint8Array(1024 * 1024).fill(0x20);

it('an answer that does not end is not read to its end', async () => {
  let read = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      read += 1;
      if (read < 500) controller.enqueue(megabyte);
      else controller.close();
    },
  });
  const requests = new QstashRequests({
    url: new URL('https://qstash.example'),
    token: 'token',
    secrets: [],
    timeoutMs: 60_000,
    clock: systemClock,
    fetch: async () => new Response(endless),
  });
  await expect(requests.request({ path: ['v2', 'schedules'] })).rejects.toThrow('in the form QStash does');
  expect(read).toBeLessThan(100);
});
