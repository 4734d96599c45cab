// Preloaded into a hub: counts its requests, and reports its heap size on request.
import { subscribe } from 'node:diagnostics_channel';
import { setImmediate as turn } from 'node:timers/promises';

let requests = 0;
subscribe('http.server.request.start', () => {
  requests += 1;
});

process.on('message', (asked) => {
  if (asked === 'requests') process.send({ requests });
  else void sendHeap();
});
process.channel?.unref();

async function sendHeap() {
  for (let round = 0; round < 3; round += 1) {
    globalThis.gc();
    await turn();
  }
  const { heapUsed, external } = process.memoryUsage();
  process.send({ bytes: heapUsed + external });
}
