// The stream on which a 2025-era server over HTTP sends notifications, and whether it can be relied on. It may
// end, be refused or stay unanswered at any time while everything else works. Then it is requested again, and
// until it is open resources are polled.
//
//   pending ──opened──► open ──ended, and not open again within a second──► pending
//      └──refused with 405, and never open before──► none ──opened──► open
//
// A server that allows one stream of a session refuses another (409) while it does not know that the first is dead,
// which may be for ever: then only a new session helps.
import type { Clock, Timer } from '@tidings/live';
import { Backoff, type WaitBounds, WakeUp } from '@tidings/live/time';
import { retryPauses } from '../../../base/retry-pauses.ts';
import type { NotificationDelivery } from '../../session/session.ts';

interface NotificationStreamOptions {
  clock: Clock;
  random: () => number;
  /** Requests the stream. The outcome is reported by `opened` and `refused`. */
  request(this: void): void;
  changed(this: void): void;
  /** Notifications sent before the stream opened may be lost, also before it opened for the first time. */
  gap(this: void): void;
  /** The server considers a dead stream of this session open. */
  stuck(this: void): void;
}

/** How long a stream may be missing before that is reported: the SDK reopens it by itself. */
const missingMs = 1000;
const notOffered = 405;
const inUse = 409;
/** The stream is stuck after this many refusals in a row; a server may need a moment to notice the end of a stream. */
const mostInUse = 4;

export class NotificationStream {
  readonly #options: NotificationStreamOptions;
  readonly #backoff: Backoff;
  /** Ends the waits for the stream to be opened or refused. */
  readonly #decided: WakeUp;
  #delivery: NotificationDelivery = 'pending';
  #isOpen = false;
  #wasOpen = false;
  #requests = 0;
  #timesInUse = 0;
  #retry: Timer | undefined;
  #missing: Timer | undefined;
  #isStopped = false;

  constructor(options: NotificationStreamOptions) {
    this.#options = options;
    this.#decided = new WakeUp(options.clock);
    this.#backoff = new Backoff(retryPauses, options.random);
  }

  get delivery(): NotificationDelivery {
    return this.#delivery;
  }

  /** Resolves when the stream is opened or refused, or at these bounds. */
  async openedOrRefused(bounds: WaitBounds): Promise<void> {
    if (!this.#isOpen) await this.#decided.wait(bounds);
  }

  requested(): void {
    this.#requests += 1;
    this.#retry?.cancel();
  }

  opened(): void {
    this.#requests -= 1;
    if (this.#isStopped) return;
    this.#isOpen = true;
    this.#missing?.cancel();
    this.#backoff.reset();
    this.#timesInUse = 0;
    this.#decided.wake();
    this.#become('open');
    this.#options.gap();
    this.#wasOpen = true;
  }

  ended(): void {
    if (this.#isStopped || !this.#isOpen) return;
    this.#isOpen = false;
    this.#missing?.cancel();
    this.#missing = this.#options.clock.after(missingMs, () => {
      this.#become('pending');
      if (this.#requests === 0) this.#ask();
    });
  }

  /** `status` is 0 if there was no answer. */
  refused(status: number): void {
    this.#requests -= 1;
    if (this.#isStopped || this.#isOpen) return;
    this.#missing?.cancel();
    this.#decided.wake();
    this.#become(status === notOffered && !this.#wasOpen ? 'none' : 'pending');
    this.#retry?.cancel();
    this.#timesInUse = status === inUse && this.#wasOpen ? this.#timesInUse + 1 : 0;
    if (this.#timesInUse >= mostInUse) return this.#options.stuck();
    this.#retry = this.#options.clock.after(this.#backoff.next(), () => this.#ask());
  }

  stop(): void {
    this.#isStopped = true;
    this.#retry?.cancel();
    this.#missing?.cancel();
    this.#decided.wake();
  }

  #ask(): void {
    if (!this.#isStopped && !this.#isOpen && this.#requests === 0) this.#options.request();
  }

  #become(delivery: NotificationDelivery): void {
    if (this.#delivery === delivery) return;
    this.#delivery = delivery;
    this.#options.changed();
  }
}
