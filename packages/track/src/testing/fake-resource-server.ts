// A ResourceServer whose reads the test answers.
import type { ReadResourceResult } from '@modelcontextprotocol/client';
import type { Clock } from '@tidings/live';
import type { ResourceServer } from '../mirror/resource-server.ts';

export class FakeResourceServer implements ResourceServer {
  isSubscribing = true;
  readonly #clock: Clock;
  readonly #answer: (uri: string) => Promise<ReadResourceResult>;

  constructor(clock: Clock, answer: (uri: string) => Promise<ReadResourceResult>) {
    this.#clock = clock;
    this.#answer = answer;
  }

  read(uri: string): Promise<ReadResourceResult> {
    return this.#answer(uri);
  }

  isSubscribed(): boolean {
    return this.isSubscribing;
  }

  heardAt(): number {
    return this.#clock.now();
  }

  sizeOf(): number | undefined {
    return undefined;
  }

  resubscribe(): void {}
}
