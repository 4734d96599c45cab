// Tracks whether code runs inside a write of this store. There, only the write's own `announce` is allowed: any other
// announcement would be sent before the commit, or without one.
import { AsyncScope } from '@tidings/live/internal';

export class WriteScope {
  readonly #scope = new AsyncScope<{ isOpen: boolean }>();

  /** Runs one write, from its beginning to its commit. */
  async run<T>(write: () => Promise<T>): Promise<T> {
    if (this.#isInside()) {
      throw new Error('store.write was called inside another write, and would wait for it: use the db of that write.');
    }
    const scope = { isOpen: true };
    return this.#scope.run(scope, async () => {
      try {
        return await write();
      } finally {
        // Work that is still running after the commit may announce again.
        scope.isOpen = false;
      }
    });
  }

  assertOutside(): void {
    if (!this.#isInside()) return;
    throw new Error(
      'This change was announced inside store.write, before it has committed: use the announce() and listChanged() that write hands to your function.',
    );
  }

  #isInside(): boolean {
    return this.#scope.current()?.isOpen === true;
  }
}
