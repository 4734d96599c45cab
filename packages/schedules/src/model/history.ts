// The history of a topic and the notifications that were given up, in the format that clients get.

export type HistoryEvent =
  | 'created'
  | 'updated'
  | 'paused'
  | 'resumed'
  | 'deleted'
  | 'fired'
  | 'delivered'
  | 'retrying'
  | 'failed'
  | 'missed'
  | 'resent';

export interface HistoryEntry {
  /** ISO 8601 in UTC. */
  at: string;
  event: HistoryEvent;
  /** Of the schedule or one-off. Null for a notification that was sent at once. */
  schedule_id: string | null;
  /** The client that made the change, `schedule` for a due notification, the process for a delivery. */
  by: string;
  /** When the notification was due. */
  occurrence?: string | undefined;
  notification_body?: string | undefined;
  /** The name of the destination. */
  destination?: string | undefined;
  /** Number of the attempt, from 1. */
  tries?: number | undefined;
  reason?: string | undefined;
  /** The notification may have been delivered before. */
  again?: boolean | undefined;
}

/** A notification that was given up or missed. It can be sent again. */
export interface DeadLetter {
  dead_letter_id: string;
  topic: string;
  schedule_id: string | null;
  notification_body: string;
  status: 'failed' | 'missed';
  reason: string;
  occurrence: string;
  /** When it was given up. */
  at: string;
  destination?: string | undefined;
}

/** How many of a topic are kept; the oldest go first. */
export const mostHistory = 200;
export const mostDeadLetters = 100;
