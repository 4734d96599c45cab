// Schedules and one-offs by topic, in a stable order: two polls of the same state must produce the same text.
import type { OneOff, Schedule, TopicContent } from '../../model/schedule.ts';
import type { OneOffAt } from './own-one-offs.ts';
import type { ScheduleAt } from './schedule-entry.ts';

/** `incomplete`: which part is missing in all of them. */
export function topicContents(
  schedules: readonly ScheduleAt[],
  oneOffs: readonly OneOffAt[],
  incomplete?: string,
): TopicContent[] {
  const contents = new Map<string, { topic: string; schedules: Schedule[]; pending: OneOff[] }>();
  const contentOf = (topic: string) => {
    const content = contents.get(topic) ?? {
      topic,
      schedules: [],
      pending: [],
      ...(incomplete !== undefined && { incomplete }),
    };
    contents.set(topic, content);
    return content;
  };
  for (const { topic, schedule } of [...schedules].sort(byAge)) contentOf(topic).schedules.push(schedule);
  for (const { topic, oneOff } of [...oneOffs].sort(byDue)) contentOf(topic).pending.push(oneOff);
  return [...contents.values()].sort((a, b) => compare(a.topic, b.topic));
}

function byAge(a: ScheduleAt, b: ScheduleAt): number {
  return a.createdAt - b.createdAt || compare(a.schedule.schedule_id, b.schedule.schedule_id);
}

function byDue({ oneOff: a }: OneOffAt, { oneOff: b }: OneOffAt): number {
  return compare(a.due, b.due) || compare(a.notification_id, b.notification_id);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
