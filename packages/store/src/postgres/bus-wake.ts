// Wakes processes through a bus: each is woken by the topics that it wants. The outbox stays authoritative: it is read
// every second anyway, so a lost message delays a change by a second at most.
import type { Bus, Want } from '@tidings/live';

export class BusWake {
  readonly #bus: Bus;
  readonly #space: string;
  readonly #wake: () => void;
  readonly #stopGaps: () => void;
  #wants = 0;

  constructor(bus: Bus, space: string, wake: () => void) {
    this.#bus = bus;
    this.#space = space;
    this.#wake = wake;
    // Messages that were published meanwhile are lost; the outbox has the changes.
    this.#stopGaps = bus.onGap(wake);
  }

  get isWanted(): boolean {
    return this.#wants > 0;
  }

  want(topic: string): Want {
    const { ready, end } = this.#bus.want(this.#space, topic, () => this.#wake());
    let isEnded = false;
    this.#wants += 1;
    return {
      ready,
      end: () => {
        if (isEnded) return;
        isEnded = true;
        this.#wants -= 1;
        end();
      },
    };
  }

  publish(topics: readonly string[]): void {
    this.#bus.publish(this.#space, topics);
  }

  close(): void {
    this.#stopGaps();
  }
}
