// Asks a quiet server now and then whether it is still there. An answer is an answer, also an error;
// only silence counts, and only twice in a row: a process may be busy, so it is given time in between; a
// network that is silent is asked again at once, since what is gone there says nothing. A server that has been
// given work is let be until that is done or given up: many can do only one thing at a time. That a process
// has ended, or that nobody takes a connection any more, is known without asking.
import { ProtocolError } from '@modelcontextprotocol/client';
import type { Clock, Timer } from '@tidings/live';
import type { Session } from './session.ts';

const patience = 2;

export interface HealthRhythm {
  everyMs: number;
  /** How long an answer may take. */
  answerMs: number;
  /** Comments on a stream that follow each other sooner than this say nothing about its health. */
  shortestPulseMs: number;
}

export interface HealthSurroundings {
  clock: Clock;
  random: () => number;
  health: HealthRhythm;
}

export class HealthCheck {
  readonly #ask: () => Promise<unknown>;
  readonly #surroundings: HealthSurroundings;
  readonly #asksAgainAtOnce: boolean;
  readonly #isWorking: () => boolean;
  readonly #lost: (reason: string) => void;
  #silences = 0;
  #timer: Timer | undefined;
  #isStopped = false;

  constructor(
    { client, era, transport }: Pick<Session, 'client' | 'era' | 'transport'>,
    surroundings: HealthSurroundings,
    isWorking: () => boolean,
    lost: (reason: string) => void,
  ) {
    const options = { timeout: surroundings.health.answerMs };
    this.#ask = () => (era === 'modern' ? client.discover(options) : client.ping(options));
    this.#surroundings = surroundings;
    this.#asksAgainAtOnce = transport === 'http';
    this.#isWorking = isWorking;
    this.#lost = lost;
    this.#wait();
  }

  stop(): void {
    this.#isStopped = true;
    this.#timer?.cancel();
  }

  #wait(): void {
    if (this.#isStopped) return;
    const { clock, health, random } = this.#surroundings;
    const isSoon = this.#silences > 0 && this.#asksAgainAtOnce;
    this.#timer = clock.after(isSoon ? 0 : health.everyMs * (0.9 + random() * 0.2), () => void this.#check());
  }

  async #check(): Promise<void> {
    try {
      await this.#ask();
      this.#silences = 0;
    } catch (error) {
      this.#silences = error instanceof ProtocolError || this.#isWorking() ? 0 : this.#silences + 1;
    }
    if (this.#isStopped) return;
    if (this.#silences >= patience) this.#lost('The server does not answer any more.');
    else this.#wait();
  }
}
