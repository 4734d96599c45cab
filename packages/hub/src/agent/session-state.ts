// The state of one agent session, and its changes in the transcript.
//
//   attaching ─► attached ─lost─► backoff ─► attaching; from each of them ─► detached, which is final
import type { SessionStatus } from '@tidings/client/contract';
import type { Transcript } from './transcript.ts';

type AgentState = SessionStatus['state'];

export class SessionState {
  readonly #transcript: Transcript;
  #state: AgentState = 'attaching';
  #detail = '';
  /** The problem that the transcript has mentioned since the session was last attached. */
  #trouble: string | undefined;

  constructor(transcript: Transcript) {
    this.#transcript = transcript;
  }

  get detail(): string {
    return this.#detail;
  }

  get name(): AgentState {
    return this.#state;
  }

  is(state: AgentState): boolean {
    return this.#state === state;
  }

  /** The state and its detail as one text. */
  toString(): string {
    return this.#detail === '' ? this.#state : `${this.#state}: ${this.#detail}`;
  }

  become(state: Exclude<AgentState, 'detached'>, detail: string): void {
    if (this.#state === state) return;
    this.#state = state;
    this.#detail = detail;
    const text = this.toString();
    // A continuing problem is recorded once: it must not displace messages from the transcript.
    const isKnown = this.#trouble !== undefined && (state === 'attaching' || text === this.#trouble);
    if (state === 'attached') this.#trouble = undefined;
    if (state === 'backoff') this.#trouble = text;
    if (!isKnown) this.#transcript.add('state', text);
  }

  detach(detail: string): void {
    this.#state = 'detached';
    this.#detail = detail;
    if (!this.#transcript.isOver) this.#transcript.end(this.toString());
  }
}
