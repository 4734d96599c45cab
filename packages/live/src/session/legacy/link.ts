// The notifications of a 2025-era client on a duplex connection.
import type { Sink } from '../../notify/sink.ts';
import type { Watched } from '../../notify/watched.ts';
import type { Caller } from '../../resource/caller.ts';
import type { ServerDefinition } from '../../definition/server-definition.ts';
import type { Line } from '../line.ts';
import { changeNotification } from './frames.ts';
import { LegacySubscriptions } from './subscriptions.ts';

export class LegacyLink implements Sink {
  readonly wire = 'legacy line';
  readonly tail = '\n';
  readonly subscriptions: LegacySubscriptions;
  readonly #line: Line;
  readonly #onEnd: () => void;

  constructor(definition: ServerDefinition, line: Line, caller: Caller, onEnd: () => void) {
    this.#line = line;
    this.#onEnd = onEnd;
    this.subscriptions = new LegacySubscriptions(definition, () => caller, this);
  }

  get ready(): boolean {
    return this.#line.ready;
  }

  encode(watched: Watched): string {
    return changeNotification(watched);
  }

  write(frames: string): void {
    this.#line.write(frames);
  }

  resume(): void {
    this.subscriptions.subscriber.resume();
  }

  flush(): void {
    this.subscriptions.subscriber.flush();
  }

  close(): void {
    this.subscriptions.close();
  }

  /**
   * In this era a server cannot end a single subscription, and its client would be stale without notifications, so this
   * ends all of them.
   */
  end(): void {
    this.#onEnd();
  }
}
