// What the tools and the history of the schedules server answer. A server of another version may know more states.
import * as z from 'zod/mini';

const delivery = z.object({ status: z.string(), at: z.string(), reason: z.optional(z.string()) });

/** Of schedules and one-offs. */
const notification = {
  notification_body: z.string(),
  /** The name of the destination, if it differs from that of the topic. */
  destination: z.optional(z.string()),
  tries: z.optional(z.number()),
  last_delivery: z.optional(delivery),
};

const shownSchedule = z.object({
  schedule_id: z.string(),
  cron_expression: z.string(),
  timezone: z.string(),
  status: z.enum(['active', 'paused']),
  label: z.nullable(z.string()),
  next_occurrence: z.nullable(z.string()),
  last_occurrence: z.nullable(z.string()),
  ...notification,
});
export type ShownSchedule = z.infer<typeof shownSchedule>;

const shownOneOff = z.object({ notification_id: z.string(), due: z.string(), status: z.string(), ...notification });
export type ShownOneOff = z.infer<typeof shownOneOff>;

/** Of `list_scheduled_notifications`. */
export const schedulesAnswer = z.object({
  topics: z.readonly(
    z.array(
      z.object({
        topic: z.string(),
        schedules: z.readonly(z.array(shownSchedule)),
        pending: z.readonly(z.array(shownOneOff)),
        /** Where the notifications of the topic go, in words. */
        destination: z.string(),
        /** Which part could not be read. */
        incomplete: z.optional(z.string()),
      }),
    ),
  ),
});
export type SchedulesAnswer = z.infer<typeof schedulesAnswer>;

/** Of `list_destinations`. */
export const destinationsAnswer = z.object({
  destinations: z.readonly(z.array(z.object({ name: z.string(), to: z.string(), problem: z.optional(z.string()) }))),
});
export type DestinationsAnswer = z.infer<typeof destinationsAnswer>;

/** Of `list_dead_letters`. */
export const deadLettersAnswer = z.object({
  dead_letters: z.readonly(
    z.array(
      z.object({
        dead_letter_id: z.string(),
        topic: z.string(),
        notification_body: z.string(),
        reason: z.string(),
        at: z.string(),
      }),
    ),
  ),
});
export type DeadLettersAnswer = z.infer<typeof deadLettersAnswer>;

/** Of `schedules://{topic}/history`. */
export const topicHistory = z.object({
  history: z.readonly(
    z.array(
      z.object({
        at: z.string(),
        event: z.string(),
        by: z.string(),
        notification_body: z.optional(z.string()),
        destination: z.optional(z.string()),
        reason: z.optional(z.string()),
      }),
    ),
  ),
});
export type TopicHistory = z.infer<typeof topicHistory>;
