// The feed of a server without a database that runs in several processes: changes of this process arrive at once, those
// of others over the bus. If the bus may have lost some, readers get a gap.
import { type Bus, type ChangeFeed, type ChangeReader, MemoryFeed, type Want } from '@tidings/live';

/**
 * Changes of all processes with the same `space`. A reader gets other processes' changes of the topics requested with
 * `want`; a `LiveServer` requests what its clients watch.
 *
 * @example
 * liveServer({ name: 'stage', version, feed: new NatsFeed(openNatsBus('nats://127.0.0.1:4222'), 'stage') })
 */
export class NatsFeed implements ChangeFeed {
  readonly #bus: Bus;
  readonly #space: string;
  readonly #local: MemoryFeed;
  /** The topics of the last change of another process. */
  #lastHeard: readonly string[] | undefined;

  /** `horizon`: how many changes are kept for readers that come later. */
  constructor(bus: Bus, space: string, horizon?: number) {
    this.#bus = bus;
    this.#space = space;
    this.#local = new MemoryFeed(horizon);
  }

  announce(topics: readonly string[]): void {
    this.#local.announce(topics);
    this.#bus.publish(this.#space, topics);
  }

  follow(reader: ChangeReader, after?: string): () => void {
    const stop = this.#local.follow(reader, after);
    const stopGaps = this.#bus.onGap(() => reader.gap());
    return () => {
      stop();
      stopGaps();
    };
  }

  want(topic: string): Want {
    return this.#bus.want(this.#space, topic, (topics) => {
      if (topics === undefined) this.#local.announce([topic]);
      else this.#announceOnce(topics);
    });
  }

  /** A change comes to each want that it concerns. */
  #announceOnce(topics: readonly string[]): void {
    if (topics === this.#lastHeard) return;
    this.#lastHeard = topics;
    this.#local.announce(topics);
  }
}
