// Where schedules live and what makes them fire. Two backends stand behind this port: the embedded
// scheduler on the store (embedded/) and QStash (qstash/).
import type { ChangeFeed, Clock } from '@tidings/live';
import type { DeadLetter, HistoryEntry } from '../model/history.ts';
import type { CronRequest, OneOff, OneOffRequest, Schedule, TopicContent, ScheduleUpdate } from '../model/schedule.ts';
import type { Push } from './destination/destination.ts';
import type { Destinations } from './destination/destinations.ts';

/** `by` says who asks for a change, for the history. */
export interface ScheduleBackend {
  readonly destinations: Destinations;
  /** By which schedules fall due. */
  readonly clock: Clock;
  /** What clients must know about all answers, besides where notifications go. */
  readonly note?: string | undefined;
  /** Announces the three topics below for every change, and the list when topics come and go. */
  readonly feed: ChangeFeed;
  /** Everything of one topic. An unused topic is empty. */
  read(topic: string): Promise<TopicContent>;
  /** Topics that have anything, in order. */
  topics(): Promise<string[]>;
  /** Every schedule and waiting one-off, of one topic or of all. */
  list(topic?: string): Promise<TopicContent[]>;
  /** Newest first. */
  history(topic: string): Promise<HistoryEntry[]>;
  /** Newest first, of one topic or of all. */
  deadLetters(topic?: string): Promise<DeadLetter[]>;
  addCron(request: CronRequest, by: string): Promise<Schedule>;
  addOneOff(request: OneOffRequest, by: string): Promise<OneOff>;
  /** These throw RESOURCE_NOT_FOUND for an unknown id. */
  update(id: string, update: ScheduleUpdate, by: string): Promise<Changed>;
  pause(scheduleId: string, by: string): Promise<Changed>;
  resume(scheduleId: string, by: string): Promise<Changed>;
  /** Of a schedule, a waiting one-off or a dead letter. */
  remove(id: string, by: string): Promise<Changed>;
  /** Sends a schedule's notification now, beside its own times; that of a one-off instead of later. */
  fire(id: string, by: string): Promise<Changed>;
  /** Sends a dead letter as a new notification. */
  resend(deadLetterId: string, by: string): Promise<Changed>;
  /** Sends at once, without a schedule. */
  send(push: Push, destination: string | undefined, by: string): Promise<void>;
  /**
   * Called when a watch of this topic begins; returns a function that ends it. For backends that do not get every
   * change by themselves.
   */
  watch(topic: string): () => void;
  close(): Promise<void>;
}

/** The topic that a change concerns, and the entry after it; undefined if it was deleted. */
export interface Changed {
  topic: string;
  now?: Schedule | OneOff | undefined;
}

/** The topic of the change feed under which a notification topic's changes are announced. */
export function topicOf(notificationTopic: string): string {
  return `schedules:${notificationTopic}`;
}

export function historyTopicOf(notificationTopic: string): string {
  return `schedules:${notificationTopic}:history`;
}

export function deadLetterTopicOf(notificationTopic: string): string {
  return `schedules:${notificationTopic}:dead-letters`;
}
