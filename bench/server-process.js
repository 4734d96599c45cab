// One benched server in its own process, so that its CPU time and heap can be measured.
import { setImmediate as tick, setTimeout as sleep } from 'node:timers/promises';
import { answerCalls } from './calls.js';

const variants = {
  kit: () => import('./servers/kit.js'),
  bare: () => import('./servers/bare.js'),
  sdk: () => import('./servers/sdk.js'),
  hub: () => import('./servers/hub.js'),
};

let server;

answerCalls({
  async start({ variant, ...options }) {
    const { serve } = await variants[variant]();
    server = await serve(options);
    return server.url;
  },

  /** `ticks` has the items that change in each turn of the event loop. */
  async change({ ticks, times }) {
    for (let time = 0; time < times; time += 1) {
      for (const items of ticks) {
        for (const item of items) server.change(item);
        await tick();
      }
    }
  },

  /** Microseconds of CPU, of all threads, user and system. */
  cpu() {
    const { user, system } = process.cpuUsage();
    return user + system;
  },

  async heap() {
    for (let round = 0; round < 4; round += 1) {
      await sleep(20);
      globalThis.gc();
    }
    const { heapUsed, external } = process.memoryUsage();
    return { heapUsed, external };
  },

  framesWritten: () => server.framesWritten(),
});
