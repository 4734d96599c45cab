// Where schedules live and what makes them fire. Two backends stand behind this port: the embedded
// scheduler on the store (embedded/) and QStash (qstash/).
import type { ChangeFeed } from '@tidings/live';
import type { CronRequest, OneOff, OneOffRequest, Schedule, TopicContent } from '../model/schedule.ts';

export interface ScheduleBackend {
  /** In words for an answer to a tool: where notifications go. */
  readonly destination: string;
  /** Announces `topicOf(topic)` of every topic whose content changed, and the list when topics come and go. */
  readonly feed: ChangeFeed;
  /** Everything of one topic. An unused topic is empty. */
  read(topic: string): Promise<TopicContent>;
  /** Topics that have anything, in order. */
  topics(): Promise<string[]>;
  /** Every schedule and waiting one-off, of one topic or of all. */
  list(topic?: string): Promise<TopicContent[]>;
  addCron(request: CronRequest): Promise<Schedule>;
  addOneOff(request: OneOffRequest): Promise<OneOff>;
  /** These throw RESOURCE_NOT_FOUND for an unknown id. They return the topic they concern. */
  pause(scheduleId: string): Promise<string>;
  resume(scheduleId: string): Promise<string>;
  remove(scheduleId: string): Promise<string>;
  /** Sends at once, without a schedule. */
  send(push: Push): Promise<void>;
  /** A watch of this topic began; returns how to end it. For backends that do not learn of every change by themselves. */
  watch(topic: string): () => void;
  close(): Promise<void>;
}

/** A notification as ntfy takes it. */
export interface Push {
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

/** The topic of the change feed under which a notification topic's changes are announced. */
export function topicOf(notificationTopic: string): string {
  return `schedules:${notificationTopic}`;
}
