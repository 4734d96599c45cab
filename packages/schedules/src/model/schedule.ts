// A schedule, a one-off, and what a notification topic holds of them, in the shape clients see.

export interface Schedule {
  schedule_id: string;
  cron_expression: string;
  timezone: string;
  status: 'active' | 'paused';
  label: string | null;
  notification_body: string;
  /** ISO 8601 in UTC; null while paused or when there is none. */
  next_occurrence: string | null;
  last_occurrence: string | null;
  /** How the last occurrence went, once there was one. */
  last_delivery?: Delivery | undefined;
}

export interface OneOff {
  notification_id: string;
  notification_body: string;
  /** ISO 8601 in UTC. */
  due: string;
  status: 'pending' | 'failed' | 'missed';
  last_delivery?: Delivery | undefined;
}

export interface Delivery {
  status: 'delivered' | 'retrying' | 'failed' | 'missed';
  at: string;
  /** Why it failed or was missed. */
  reason?: string | undefined;
  /** It may have been delivered before, by a process that ended in the middle. */
  again?: boolean | undefined;
}

export interface TopicContent {
  topic: string;
  schedules: readonly Schedule[];
  pending: readonly OneOff[];
}

/** A cron request that has been checked. */
export interface CronRequest {
  topic: string;
  message: string;
  cron: string;
  timezone: string;
  label?: string | undefined;
}

/** A one-off that has been checked; `due` is milliseconds since the epoch. */
export interface OneOffRequest {
  topic: string;
  message: string;
  due: number;
}
