// The port: the subscriptions of one session. Two eras stand behind it.
import type { Clock } from '@tidings/live';

export interface Subscriptions {
  /** What the server has agreed to tell about. */
  readonly active: ReadonlySet<string>;
  /** Whether changes of the lists would be heard, as far as that depends on subscriptions. */
  readonly hearsLists: boolean;
  /** Whether the server was asked for it and has not said yes or no. */
  awaits(uri: string): boolean;
  /** How many others were refused, or not answered (yet). */
  readonly missing: { refused: number; unanswered: number };
  /** Milliseconds until `apply` asks again for what was refused or not answered; nothing where there is none. */
  readonly retryMs: number | undefined;
  /**
   * Makes the active ones those that are wanted: what is new is in force before what is old is given up.
   * One at a time. Rejects only when the session is of no use; a URI that is refused does not stop the others.
   * Resolves when everything was answered, or when nothing was for a while: what is answered later is active
   * from then on, and `changed` of the deps is called.
   * With `changed`, only these may have joined or left since the last call that succeeded: the work is in
   * proportion to them, and only their refusals are returned. Without it, everything is compared.
   */
  apply(wanted: ReadonlySet<string>, changed?: readonly string[]): Promise<MissingSubscription[]>;
  /** The server may have forgotten these, as many do of what was gone for a while: the next `apply` of all asks again. */
  renew(uris: Iterable<string>): void;
  close(): void;
}

export interface SubscriptionDeps {
  clock: Clock;
  random: () => number;
  /** How long an answer may take. */
  answerMs: number;
  /** What is active has changed without a call of `apply`. */
  changed(this: void): void;
}

/** So long nothing may be answered before `apply` resolves without it. */
export const patienceMs = 1500;

export interface MissingSubscription {
  uri: string;
  reason: string;
  /** The server did not say no: it did not answer, or takes no more for now. */
  isTransient: boolean;
  /** It may still answer. */
  isPending?: true;
}

export function notYet(uri: string): MissingSubscription {
  return { uri, reason: 'It has not been answered yet.', isTransient: true, isPending: true };
}
