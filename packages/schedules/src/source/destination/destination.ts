// The port to where notifications go. Five destinations stand behind it (ntfy, webhook, slack, email, session), and one
// suite runs on all of them (test/schedules/destination-cases.ts).

export interface Destination {
  /** Such as `ntfy`. */
  readonly kind: string;
  /** In words for an answer to a tool, without any secret: where notifications go. */
  readonly words: string;
  /** Resolves when the notification has been handed over; rejects, best with a `DeliveryError`, otherwise. */
  send(push: Push): Promise<void>;
}

/** A notification, with what ntfy knows besides its text; others use what they have a place for. */
export interface Push {
  /** The same for every try, so that a receiver can tell a repetition. */
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
