// Schedules, one-offs and the content of a notification topic, in the format that clients get.

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
  /** Name of the destination, if it differs from that of the topic. */
  destination?: string | undefined;
  /** The maximum number of delivery attempts, if it differs from that of the destination. */
  tries?: number | undefined;
  /** The outcome of the last occurrence, once there was one. */
  last_delivery?: Delivery | undefined;
}

export interface OneOff {
  notification_id: string;
  notification_body: string;
  /** ISO 8601 in UTC. */
  due: string;
  status: 'pending' | 'failed' | 'missed';
  destination?: string | undefined;
  tries?: number | undefined;
  last_delivery?: Delivery | undefined;
}

export interface Delivery {
  status: 'delivered' | 'retrying' | 'failed' | 'missed';
  at: string;
  /** Why it failed or was missed. */
  reason?: string | undefined;
  /** It may have been delivered before, by a process that ended during the delivery. */
  again?: boolean | undefined;
}

export interface TopicContent {
  topic: string;
  schedules: readonly Schedule[];
  pending: readonly OneOff[];
  /** Which part could not be read, as text for clients; undefined if this is complete. */
  incomplete?: string | undefined;
}

/** The destination and the number of attempts; undefined: those of the topic. */
export interface DeliveryChoice {
  destination?: string | undefined;
  tries?: number | undefined;
}

/** A checked cron request. */
export interface CronRequest extends DeliveryChoice {
  topic: string;
  message: string;
  cron: string;
  timezone: string;
  label?: string | undefined;
}

/** A checked one-off; `due` is in milliseconds since the epoch. */
export interface OneOffRequest extends DeliveryChoice {
  topic: string;
  message: string;
  due: number;
}

/** The checked changes to a schedule or a one-off; undefined fields are not changed. Null: the topic's default. */
export interface ScheduleUpdate {
  message?: string | undefined;
  /** For schedules only. */
  cron?: string | undefined;
  timezone?: string | undefined;
  label?: string | null | undefined;
  /** For one-offs only. */
  due?: number | undefined;
  destination?: string | null | undefined;
  tries?: number | null | undefined;
}
