// Listen streams that record the arrival times of updates, on the clock that all processes of a machine share.
import { connect } from 'node:net';
import { mark } from '../items.js';
import { listenRequest } from '../load/requests.js';

const opening = 64;

export class TimedStreams {
  #sockets = [];
  #times = [];
  #awaited = 0;
  #complete = () => undefined;

  /** Opens a stream for each entry of `interests` (its items); resolves when all are acknowledged. */
  async open(url, interests) {
    const queue = [...interests];
    const openNext = async () => {
      for (let items = queue.shift(); items; items = queue.shift()) await this.#openOne(url, items);
    };
    await Promise.all(Array.from({ length: opening }, openNext));
  }

  /** Resolves with the arrival times of the next `count` updates. */
  next(count) {
    this.#times = [];
    this.#awaited = count;
    return new Promise((resolve) => (this.#complete = resolve));
  }

  close() {
    for (const socket of this.#sockets) socket.destroy();
  }

  #openOne(url, items) {
    const { hostname, port } = new URL(url);
    return new Promise((resolve, reject) => {
      const socket = connect(Number(port), hostname);
      let acknowledging = items.length;
      socket.on('data', (bytes) => {
        for (let at = bytes.indexOf(mark); at !== -1; at = bytes.indexOf(mark, at + 1)) {
          if (acknowledging > 0) {
            acknowledging -= 1;
            if (acknowledging === 0) resolve();
          } else this.#arrived();
        }
      });
      socket.on('error', reject);
      socket.write(listenRequest(url, this.#sockets.length % 5, items));
      this.#sockets.push(socket);
    });
  }

  #arrived() {
    this.#times.push(performance.timeOrigin + performance.now());
    if (this.#times.length === this.#awaited) this.#complete(this.#times);
  }
}
