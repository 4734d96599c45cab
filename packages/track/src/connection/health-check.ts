// Asks a quiet server now and then whether it is still there. An answer is an answer, also an error;
// only silence counts, and only twice in a row.
import { type Client, ProtocolError } from '@modelcontextprotocol/client';
import type { Clock, Timer } from '@tidings/live';
import type { Era } from './session.ts';

const patience = 2;

export interface HealthRhythm {
  everyMs: number;
  /** How long an answer may take. */
  answerMs: number;
}

export class HealthCheck {
  readonly #ask: () => Promise<unknown>;
  readonly #clock: Clock;
  readonly #everyMs: number;
  readonly #lost: (reason: string) => void;
  #silences = 0;
  #timer: Timer | undefined;
  #isStopped = false;

  constructor(
    client: Client,
    era: Era,
    { clock, health }: { clock: Clock; health: HealthRhythm },
    lost: (reason: string) => void,
  ) {
    const options = { timeout: health.answerMs };
    this.#ask = () => (era === 'modern' ? client.discover(options) : client.ping(options));
    this.#clock = clock;
    this.#everyMs = health.everyMs;
    this.#lost = lost;
    this.#wait();
  }

  stop(): void {
    this.#isStopped = true;
    this.#timer?.cancel();
  }

  #wait(): void {
    if (!this.#isStopped) this.#timer = this.#clock.after(this.#everyMs, () => void this.#check());
  }

  async #check(): Promise<void> {
    try {
      await this.#ask();
      this.#silences = 0;
    } catch (error) {
      this.#silences = error instanceof ProtocolError ? 0 : this.#silences + 1;
    }
    if (this.#isStopped) return;
    if (this.#silences >= patience) this.#lost('The server does not answer any more.');
    else this.#wait();
  }
}
