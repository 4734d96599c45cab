// The port of destinations for notifications. It has five implementations (ntfy, webhook, slack, email, session), and
// one suite runs on all of them (test/schedules/destination-cases.ts).

export interface Destination {
  /** Such as `ntfy`. */
  readonly kind: string;
  /** Where notifications go, in words for a tool's answer, without secrets. */
  readonly words: string;
  /** Resolves when the receiver has accepted the notification; rejects otherwise, preferably with a `DeliveryError`. */
  send(push: Push): Promise<void>;
}

/** A notification with the fields of ntfy; other destinations use those they support. */
export interface Push {
  /** The same for every attempt, so that a receiver can detect a repetition. */
  id: string;
  /** When it was due, in milliseconds since the epoch. */
  at: number;
  topic: string;
  message: string;
  title?: string | undefined;
  priority?: number | undefined;
  tags?: readonly string[] | undefined;
  markdown?: boolean | undefined;
  click?: string | undefined;
  icon?: string | undefined;
  attach?: string | undefined;
  filename?: string | undefined;
  actions?: readonly Record<string, unknown>[] | undefined;
}

/** The tag of a notification that may have been delivered before. */
export const repeatTag = 'repeat';
