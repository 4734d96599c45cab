// The port: the subscriptions of one session. Two eras stand behind it.

export interface Subscriptions {
  /** What the server has agreed to tell about. */
  readonly active: ReadonlySet<string>;
  /**
   * Makes the active ones those that are wanted: what is new is in force before what is old is given up.
   * One at a time. Rejects only when the session is of no use; a URI that is refused does not stop the others.
   * With `changed`, only these may have joined or left since the last call that succeeded: the work is in
   * proportion to them, and only their refusals are returned. Without it, everything is compared.
   */
  apply(wanted: ReadonlySet<string>, changed?: readonly string[]): Promise<Refusal[]>;
  /** The server may have forgotten these, as many do of what was gone for a while: the next `apply` of all asks again. */
  renew(uris: Iterable<string>): void;
  close(): void;
}

export interface Refusal {
  uri: string;
  reason: string;
  /** Worth another try soon: nobody said no. */
  isTransient: boolean;
}
