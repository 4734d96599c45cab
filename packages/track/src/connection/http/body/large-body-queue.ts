// Limits how many large answers of one server are received at once. Each is in memory as a whole before it can be
// parsed, so hundreds at once would fill it; the others wait in the buffers of their connections.

/** A shorter answer is received without waiting. */
const largeFrom = 256 * 1024;
const atOnce = 2;

export class LargeBodyQueue {
  #receiving = 0;
  readonly #waiting = new Set<() => void>();

  /** The turn of one body. */
  body(): LargeBody {
    return new LargeBody(this);
  }

  /** Calls `turn` when the next body may be received. */
  enter(turn: () => void): void {
    if (this.#receiving >= atOnce) {
      this.#waiting.add(turn);
      return;
    }
    this.#receiving += 1;
    turn();
  }

  leave(turn: () => void): void {
    // A body that still waits has taken no place.
    if (this.#waiting.delete(turn)) return;
    this.#receiving -= 1;
    const [next] = this.#waiting;
    if (next === undefined) return;
    this.#waiting.delete(next);
    this.enter(next);
  }
}

class LargeBody {
  readonly #all: LargeBodyQueue;
  #turn: (() => void) | undefined;

  constructor(all: LargeBodyQueue) {
    this.#all = all;
  }

  /**
   * Resolves when more may be read of an answer of which `received` bytes have arrived; undefined if that is at once.
   */
  more(received: number): Promise<void> | undefined {
    if (received < largeFrom || this.#turn !== undefined) return undefined;
    return new Promise((resolve) => {
      this.#turn = resolve;
      this.#all.enter(resolve);
    });
  }

  /** Call it when the body was received, or its reader left. */
  end(): void {
    const turn = this.#turn;
    this.#turn = undefined;
    if (turn === undefined) return;
    this.#all.leave(turn);
    turn();
  }
}
