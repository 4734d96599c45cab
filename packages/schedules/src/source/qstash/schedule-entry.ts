// Converts a schedule of QStash to ours. Topic, label and message are in QStash's own fields, so schedules that were
// created elsewhere for the same ntfy server are read as well.
import { z } from 'zod';
import { nextOccurrence } from '../../model/cron.ts';
import type { Delivery, Schedule } from '../../model/schedule.ts';
import { isoMoment } from './iso-moment.ts';
import type { NtfyAddress } from './ntfy-address.ts';

/** Only indispensable fields are required: one odd entry must not make all others unreadable. */
export const scheduleEntry = z.object({
  scheduleId: z.string(),
  cron: z.string(),
  destination: z.string(),
  createdAt: z.number().catch(0),
  isPaused: z.boolean().catch(false),
  retries: z.number().optional().catch(undefined),
  body: z.string().optional().catch(undefined),
  bodyBase64: z.string().optional().catch(undefined),
  label: z.string().optional().catch(undefined),
  labels: z.array(z.string()).catch([]),
  nextScheduleTime: z.number().optional().catch(undefined),
  lastScheduleTime: z.number().optional().catch(undefined),
  lastScheduleStates: z.record(z.string(), z.string()).catch({}),
});

/** The default of QStash. */
const usualRetries = 3;

export type ScheduleEntry = z.infer<typeof scheduleEntry>;

export interface ScheduleAt {
  topic: string;
  createdAt: number;
  schedule: Schedule;
}

/** With a time zone: QStash's default is UTC. */
export function cronInZone(cron: string, timezone: string): string {
  return `CRON_TZ=${timezone} ${cron}`;
}

/** Undefined for schedules that do not send to a topic of our ntfy server. */
export function readEntry(entry: ScheduleEntry, ntfy: NtfyAddress, now: Date): ScheduleAt | undefined {
  const topic = ntfy.topicAt(entry.destination);
  if (topic === undefined) return undefined;
  const [, timezone = 'UTC', cron = ''] = /^\s*(?:(?:CRON_)?TZ=(\S+)\s+)?(.*?)\s*$/s.exec(entry.cron) ?? [];
  const lastDelivery = deliveryOf(entry);
  const schedule: Schedule = {
    schedule_id: entry.scheduleId,
    cron_expression: cron,
    timezone,
    status: entry.isPaused ? 'paused' : 'active',
    label: entry.labels[0] ?? (entry.label || null),
    notification_body: entry.body || Buffer.from(entry.bodyBase64 ?? '', 'base64').toString(),
    next_occurrence: entry.isPaused ? null : (isoMoment(entry.nextScheduleTime) ?? computedNext(cron, timezone, now)),
    last_occurrence: isoMoment(entry.lastScheduleTime) ?? null,
    ...(entry.retries !== undefined && entry.retries !== usualRetries && { tries: entry.retries + 1 }),
    ...(lastDelivery && { last_delivery: lastDelivery }),
  };
  return { topic, createdAt: entry.createdAt, schedule };
}

/** QStash reports the outcome of the last occurrence, but not why a message failed. */
function deliveryOf({ lastScheduleStates, lastScheduleTime }: ScheduleEntry): Delivery | undefined {
  const states = Object.values(lastScheduleStates);
  const at = isoMoment(lastScheduleTime);
  if (at === undefined || states.length === 0) return undefined;
  if (states.includes('FAIL')) return { status: 'failed', at, reason: 'QStash could not deliver it: see its log.' };
  return states.every((state) => state === 'SUCCESS') ? { status: 'delivered', at } : undefined;
}

/** Null for expressions that only QStash supports, such as `@every 1h`. */
function computedNext(cron: string, timezone: string, now: Date): string | null {
  try {
    return nextOccurrence(cron, timezone, now)?.toISOString() ?? null;
  } catch {
    return null;
  }
}
