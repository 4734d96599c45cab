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
  /** Name of the destination, if it differs from that of the topic. */
  destination?: string | undefined;
  /** How often its delivery is tried at most, where that is not as the destination is set. */
  tries?: number | undefined;
  /** How the last occurrence went, once there was one. */
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
  /** It may have been delivered before, by a process that ended in the middle. */
  again?: boolean | undefined;
}

export interface TopicContent {
  topic: string;
  schedules: readonly Schedule[];
  pending: readonly OneOff[];
  /** What could not be read, as text for clients; undefined if this is complete. */
  incomplete?: string | undefined;
}

/** Where notifications go and how often that is tried; undefined: as for the topic. */
export interface DeliveryChoice {
  destination?: string | undefined;
  tries?: number | undefined;
}

/** A cron request that has been checked. */
export interface CronRequest extends DeliveryChoice {
  topic: string;
  message: string;
  cron: string;
  timezone: string;
  label?: string | undefined;
}

/** A one-off that has been checked; `due` is milliseconds since the epoch. */
export interface OneOffRequest extends DeliveryChoice {
  topic: string;
  message: string;
  due: number;
}

/** The checked changes to a schedule or a one-off; undefined fields stay. Null: the topic's default. */
export interface ScheduleUpdate {
  message?: string | undefined;
  /** Of a schedule only. */
  cron?: string | undefined;
  timezone?: string | undefined;
  label?: string | null | undefined;
  /** Of a one-off only. */
  due?: number | undefined;
  destination?: string | null | undefined;
  tries?: number | null | undefined;
}
