// Knows whether code runs inside a write of this store, so that what it announces there on any other way than the
// write's own is refused: it would be told before it has committed, or although it never does.
import { AsyncScope } from '@tidings/live/internal';

export class WriteScope {
  readonly #scope = new AsyncScope<{ isOpen: boolean }>();

  /** Runs one write, from its beginning to its commit. */
  run<T>(write: () => Promise<T>): Promise<T> {
    const scope = { isOpen: true };
    return this.#scope.run(scope, async () => {
      try {
        return await write();
      } finally {
        // What the work left running goes on after the commit.
        scope.isOpen = false;
      }
    });
  }

  assertOutside(): void {
    if (this.#scope.current()?.isOpen !== true) return;
    throw new Error(
      'This change was announced inside store.write, before it has committed: use the announce() and listChanged() that write hands to your function.',
    );
  }
}
