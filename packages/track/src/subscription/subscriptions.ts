// The port: the subscriptions of one session. Implemented once for each era.
import type { Clock } from '@tidings/live';

export interface Subscriptions {
  /** The URIs whose subscription the server has confirmed. */
  readonly active: ReadonlySet<string>;
  /** Whether `list_changed` would arrive, as far as that depends on subscriptions. */
  readonly notifiesLists: boolean;
  /** Whether the URI was requested, and neither confirmed nor refused. */
  awaits(uri: string): boolean;
  /** How many subscriptions are refused, or not answered (yet). */
  readonly missing: { refused: number; unanswered: number };
  /** Milliseconds until `apply` requests missing subscriptions again; undefined if there are none. */
  readonly retryMs: number | undefined;
  /**
   * Makes the active URIs equal to the wanted ones: new subscriptions are confirmed before old ones are ended. One
   * call at a time. Rejects only if the session is unusable; a refused URI does not stop the others. Resolves when
   * everything was answered, or nothing was for a while: URIs that are answered later are active from then on, and
   * `changed` of the deps is called. With `changed`, only these URIs may have joined or left since the last
   * successful call: the work is in proportion to them, and only their missing subscriptions are returned. Without
   * it, everything is compared.
   */
  apply(wanted: ReadonlySet<string>, changed?: readonly string[]): Promise<MissingSubscription[]>;
  /**
   * The server may have dropped these subscriptions, as many do while a resource is missing: the next whole `apply`
   * requests them again.
   */
  renew(uris: Iterable<string>): void;
  close(): void;
}

export interface SubscriptionDeps {
  clock: Clock;
  random: () => number;
  /** How long an answer may take. */
  answerMs: number;
  /** The active URIs have changed without a call of `apply`. */
  changed(this: void): void;
}

/** How long `apply` waits without any answer before it resolves. */
export const patienceMs = 1500;

export interface MissingSubscription {
  uri: string;
  reason: string;
  /** The server did not refuse it: there was no answer, or the server is overloaded. */
  isTransient: boolean;
  /** The server may still answer. */
  isPending?: true;
}

export function notYet(uri: string): MissingSubscription {
  return { uri, reason: 'It has not been answered yet.', isTransient: true, isPending: true };
}
