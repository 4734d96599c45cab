// Many open listen streams that only count updates. The expected number is known, so one update too few or too many
// fails the run.
import { connect } from 'node:net';
import { mark } from '../items.js';
import { listenRequest } from './requests.js';

const opening = 64;
const patienceMs = 20_000;

export class LoadListeners {
  #streams = [];
  #missing = 0;
  #complete = () => {};
  #failure;

  /** Opens a stream for each entry of `interests` (its items) and waits for all acknowledgements. */
  async open(url, interests) {
    const queue = [...interests.entries()];
    const openNext = async () => {
      for (let next = queue.shift(); next; next = queue.shift()) await this.#openOne(url, ...next);
    };
    await Promise.all(Array.from({ length: opening }, openNext));
  }

  /** Called before the change; `delivered` resolves when each stream has had exactly this number of updates. */
  expect(items, times) {
    const changed = new Set(items);
    for (const stream of this.#streams) {
      const count = times * stream.items.filter((item) => changed.has(item)).length;
      stream.due += count;
      this.#missing += count;
    }
  }

  async delivered() {
    if (this.#missing > 0 && !this.#failure) {
      await new Promise((resolve) => {
        this.#complete = resolve;
        setTimeout(resolve, patienceMs).unref();
      });
    }
    if (this.#failure) throw this.#failure;
    if (this.#missing > 0) throw new Error(`${this.#missing} updates have not arrived after ${patienceMs} ms.`);
  }

  pause() {
    for (const { socket } of this.#streams) socket.pause();
  }

  /** Continues reading, without an expected number: a stalled stream may get merged updates. */
  async resumeUntil(total) {
    for (const stream of this.#streams) stream.due = Number.POSITIVE_INFINITY;
    this.#missing = total - this.#received();
    for (const { socket } of this.#streams) socket.resume();
    await this.delivered();
  }

  #received() {
    return this.#streams.reduce((sum, { received }) => sum + received, 0);
  }

  #openOne(url, index, items) {
    const { hostname, port } = new URL(url);
    return new Promise((resolve, reject) => {
      const socket = connect(Number(port), hostname);
      const stream = { socket, items, received: 0, due: 0 };
      // The acknowledgement names every URI once: the stream is open when all of them have been seen.
      let acknowledging = items.length;
      socket.on('data', (bytes) => {
        let count = countMarks(bytes);
        if (acknowledging > 0) {
          const seen = Math.min(acknowledging, count);
          acknowledging -= seen;
          count -= seen;
          if (acknowledging === 0) resolve();
        }
        if (count > 0) this.#count(stream, count);
      });
      socket.on('error', reject);
      socket.on('close', () => this.#fail(new Error('The server closed a stream.')));
      // Listen ids are small numbers with duplicates, as those of real clients.
      socket.write(listenRequest(url, index % 5, items));
      this.#streams.push(stream);
    });
  }

  #count(stream, count) {
    stream.received += count;
    if (stream.received > stream.due) {
      this.#fail(new Error(`A stream got ${stream.received} updates instead of ${stream.due}.`));
    }
    this.#missing -= count;
    if (this.#missing <= 0) this.#complete();
  }

  #fail(error) {
    this.#failure ??= error;
    this.#complete();
  }
}

function countMarks(bytes) {
  let count = 0;
  for (let at = bytes.indexOf(mark); at !== -1; at = bytes.indexOf(mark, at + 1)) count += 1;
  return count;
}
