// Nodes that share one store: each is a backend with its own connection, clock and notifier, as in
// separate processes.
import { type Change, LiveError } from '@tidings/live';
import { FakeClock, eventually } from '@tidings/live/testing';
import type { OneOff, Schedule } from '../../packages/schedules/src/model/schedule.ts';
import { type ScheduleBackend, topicOf } from '../../packages/schedules/src/source/backend.ts';
import type { Push } from '../../packages/schedules/src/source/destination/destination.ts';
import { Destinations } from '../../packages/schedules/src/source/destination/destinations.ts';
import {
  type EmbeddedOptions,
  openEmbeddedBackend,
} from '../../packages/schedules/src/source/embedded/embedded-backend.ts';

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
/** A Monday, during summer time. */
export const start = Date.UTC(2026, 5, 1, 8);

export type NodeOptions = Partial<EmbeddedOptions> & { from?: number };

export class Nodes {
  readonly #place: string;
  readonly #open: Node[] = [];

  constructor(place: string) {
    this.#place = place;
  }

  /** Opens a node whose clock starts at `from`. */
  async open({ from = start, ...options }: NodeOptions = {}): Promise<Node> {
    const clock = new FakeClock();
    clock.advance(from);
    const node = new Node(clock, this.#place, options);
    await node.open();
    this.#open.push(node);
    return node;
  }

  async close(): Promise<void> {
    // Some deliveries of the tests never end.
    await Promise.all(this.#open.map((node) => node.abandon()));
  }
}

export class Node {
  readonly clock: FakeClock;
  /** Without id and time, which differ between runs. */
  readonly sent: Omit<Push, 'id' | 'at'>[] = [];
  readonly ids: string[] = [];
  readonly announced: string[] = [];
  readonly problems: string[] = [];
  readonly #place: string;
  readonly #options: Partial<EmbeddedOptions>;
  /** Sends a notification; succeeds by default. */
  send: (push: Push) => Promise<void> = () => Promise.resolve();
  #backend: ScheduleBackend | undefined;

  constructor(clock: FakeClock, place: string, options: Partial<EmbeddedOptions>) {
    this.clock = clock;
    this.#place = place;
    this.#options = options;
  }

  get backend(): ScheduleBackend {
    if (!this.#backend) throw new Error('The node is not open.');
    return this.#backend;
  }

  async open(): Promise<void> {
    const report = (fields: object, message: string) => void this.problems.push(`${message} ${JSON.stringify(fields)}`);
    this.#backend = await openEmbeddedBackend({
      place: this.#place,
      destinations: Destinations.only({ kind: 'list', words: 'a list', send: (push) => this.#take(push) }),
      clock: this.clock,
      log: { warn: report, error: report },
      node: 'node',
      ...this.#options,
    });
    this.#backend.feed.follow({
      change: ({ topics }: Change) => void this.announced.push(...topics),
      gap: () => void this.announced.push('gap'),
    });
  }

  async #take(push: Push): Promise<void> {
    const { id, at: _at, ...rest } = push;
    this.sent.push(rest);
    this.ids.push(id);
    await this.send(push);
  }

  async close(): Promise<void> {
    const closing = this.#backend?.close();
    this.#backend = undefined;
    await closing;
  }

  async abandon(): Promise<void> {
    let isClosed = false;
    const closing = this.close().then(() => (isClosed = true));
    await eventually('the node to close', () => {
      // Small steps, well below the time limit of a delivery.
      this.clock.advance(250);
      return isClosed;
    });
    await closing;
  }

  /** Advances the clock once the scheduler sleeps. */
  async pass(ms: number): Promise<void> {
    await this.asleep();
    this.clock.advance(ms);
  }

  async asleep(): Promise<void> {
    await eventually('the scheduler to sleep', () => this.clock.waiting > 0);
  }

  async hasSent(count: number): Promise<void> {
    await eventually(`${count} notifications`, () => this.sent.length >= count);
  }

  cron(topic: string, cron: string, timezone = 'UTC'): Promise<Schedule> {
    return this.backend.addCron({ topic, message: `${cron} in ${timezone}`, cron, timezone }, 'test');
  }

  /** Adds a one-off that is due in `ms`. */
  once(topic: string, ms: number, message = 'once'): Promise<OneOff> {
    return this.backend.addOneOff({ topic, message, due: this.clock.date() + ms }, 'test');
  }

  async schedule(topic: string): Promise<Schedule> {
    const { schedules } = await this.backend.read(topic);
    const [only] = schedules;
    if (!only || schedules.length > 1) throw new LiveError('INTERNAL', `${topic} has ${schedules.length} schedules.`);
    return only;
  }

  async pending(topic: string): Promise<readonly OneOff[]> {
    return (await this.backend.read(topic)).pending;
  }

  /** The first schedule or one-off whose last delivery has this status. */
  async settled(topic: string, status: string): Promise<Schedule | OneOff> {
    return eventually(`${topic} to be ${status}`, async () => {
      const { schedules, pending } = await this.backend.read(topic);
      return [...schedules, ...pending].find(({ last_delivery }) => last_delivery?.status === status);
    });
  }

  announcedOf(topic: string): number {
    return this.announced.filter((each) => each === topicOf(topic)).length;
  }
}

/** A promise, and the function that resolves it. */
export function gate(): { opened: Promise<void>; open: () => void } {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}
