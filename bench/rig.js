// A benched server with its clients: two processes, and the steps that rows are made of.
import { startProcess } from './calls.js';

export class Rig {
  #server;
  #load;
  #url;

  static async start(variant, options = {}) {
    const rig = new Rig();
    rig.#server = startProcess('./server-process.js', ['--expose-gc', ...profiling(variant)]);
    rig.#load = startProcess('./load-process.js');
    rig.#url = await rig.#server.call('start', { variant, ...options });
    return rig;
  }

  /** `interests` has the items of each stream. */
  async open(interests) {
    await this.#load.call('open', { url: this.#url, interests });
  }

  /** Makes changes, and waits until every interested stream has been notified, with the expected number of updates. */
  async deliver(ticks, times = 1) {
    await this.#load.call('expect', { items: ticks.flat(), times });
    await this.change(ticks, times);
    await this.#load.call('delivered');
  }

  async change(ticks, times = 1) {
    await this.#server.call('change', { ticks, times });
  }

  async read(reads) {
    await this.#load.call('read', { url: this.#url, reads });
  }

  async stall() {
    await this.#load.call('pause');
  }

  /** The stalled clients read on until they have every notification that the server has written. */
  async catchUp() {
    const total = await this.#server.call('framesWritten');
    await this.#load.call('resumeUntil', total);
    return total;
  }

  /** Microseconds of the server's CPU time during `work`. */
  async cpuOf(work) {
    const before = await this.#server.call('cpu');
    await work();
    return (await this.#server.call('cpu')) - before;
  }

  async heap() {
    return this.#server.call('heap');
  }

  async stop() {
    // The server first, so that it does not have to close sockets one by one.
    await this.#server.stop();
    await this.#load.stop();
  }
}

/** With TIDINGS_BENCH_PROFILE set to a folder, the kit's server writes a CPU profile there. */
function profiling(variant) {
  const folder = process.env.TIDINGS_BENCH_PROFILE;
  return folder && variant === 'kit' ? ['--cpu-prof', `--cpu-prof-dir=${folder}`] : [];
}
