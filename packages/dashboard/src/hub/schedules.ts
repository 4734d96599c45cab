// The tools of the schedules server that the page calls, and the history of its topics.
import * as z from 'zod/mini';
import { contentPath } from './contents.ts';
import { callServerTool } from './call-tool.ts';

const delivery = z.object({ status: z.string(), at: z.string(), reason: z.optional(z.string()) });
const choice = {
  notification_body: z.string(),
  destination: z.optional(z.string()),
  tries: z.optional(z.number()),
  last_delivery: z.optional(delivery),
};
const schedule = z.object({
  schedule_id: z.string(),
  cron_expression: z.string(),
  timezone: z.string(),
  status: z.enum(['active', 'paused']),
  label: z.nullable(z.string()),
  next_occurrence: z.nullable(z.string()),
  last_occurrence: z.nullable(z.string()),
  ...choice,
});
const oneOff = z.object({ notification_id: z.string(), due: z.string(), status: z.string(), ...choice });
const topic = z.object({
  topic: z.string(),
  schedules: z.array(schedule),
  pending: z.array(oneOff),
  destination: z.string(),
  incomplete: z.optional(z.string()),
});
const listAnswer = z.object({ topics: z.array(topic) });
const destinationsAnswer = z.object({
  destinations: z.array(z.object({ name: z.string(), to: z.string(), problem: z.optional(z.string()) })),
});
const letter = z.object({
  dead_letter_id: z.string(),
  topic: z.string(),
  notification_body: z.string(),
  reason: z.string(),
  at: z.string(),
});
const lettersAnswer = z.object({ dead_letters: z.array(letter) });
const happened = z.object({
  at: z.string(),
  event: z.string(),
  by: z.string(),
  notification_body: z.optional(z.string()),
  destination: z.optional(z.string()),
  reason: z.optional(z.string()),
});
const historyAnswer = z.object({ history: z.array(happened) });

export type ShownSchedule = z.infer<typeof schedule>;
export type ShownOneOff = z.infer<typeof oneOff>;
export type ShownHistoryEntry = z.infer<typeof happened>;
export type ShownDestination = z.infer<typeof destinationsAnswer>['destinations'][number];

export interface AllSchedules {
  topics: readonly z.infer<typeof topic>[];
  letters: readonly z.infer<typeof letter>[];
  destinations: readonly ShownDestination[];
}

/** Every schedules server lists it, under any name in the configuration. */
export const markingUri = 'cron://examples';

export async function readSchedules(server: string): Promise<AllSchedules> {
  const [list, dead, places] = await Promise.all([
    callServerTool(server, 'list_scheduled_notifications'),
    callServerTool(server, 'list_dead_letters'),
    callServerTool(server, 'list_destinations'),
  ]);
  return {
    topics: listAnswer.parse(list).topics,
    letters: lettersAnswer.parse(dead).dead_letters,
    destinations: destinationsAnswer.parse(places).destinations,
  };
}

export async function readTopicHistory(serverId: string, name: string): Promise<readonly ShownHistoryEntry[]> {
  const response = await fetch(contentPath({ serverId, uri: `schedules://${name}/history` }), { cache: 'no-store' });
  if (!response.ok) throw new Error(`The history cannot be read (${response.status}).`);
  return historyAnswer.parse(await response.json()).history;
}

/** Acts on a schedule, a one-off or a dead letter. */
export async function actOn(server: string, action: ScheduleAction, id: string): Promise<void> {
  const isLetter = action === 'resend_notification';
  await callServerTool(server, action, isLetter ? { dead_letter_id: id } : { schedule_id: id });
}

export type ScheduleAction =
  | 'pause_schedule'
  | 'resume_schedule'
  | 'delete_schedule'
  | 'fire_schedule'
  | 'resend_notification';

/** Creates a schedule or a one-off, or changes the one with this id. */
export async function saveSchedule(server: string, wanted: WantedSchedule): Promise<void> {
  const { id, isRecurring, ...fields } = wanted;
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  if (id !== undefined) await callServerTool(server, 'update_schedule', { schedule_id: id, ...given });
  else await callServerTool(server, isRecurring ? 'schedule_cron_notification' : 'schedule_notification', given);
}

export interface WantedSchedule {
  id: string | undefined;
  isRecurring: boolean;
  notification_topic?: string | undefined;
  message?: string | undefined;
  cron?: string | undefined;
  timezone?: string | undefined;
  label?: string | null | undefined;
  datetime?: string | undefined;
  destination?: string | null | undefined;
}
