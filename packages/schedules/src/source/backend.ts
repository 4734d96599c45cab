// The port of schedule storage and firing. It has two implementations: the embedded scheduler on the store (embedded/)
// and QStash (qstash/).
import type { ChangeFeed, Clock } from '@tidings/live';
import type { DeadLetter, HistoryEntry } from '../model/history.ts';
import type { CronRequest, OneOff, OneOffRequest, Schedule, TopicContent, ScheduleUpdate } from '../model/schedule.ts';
import type { Push } from './destination/destination.ts';
import type { Destinations } from './destination/destinations.ts';

/** `by`: the client that requests a change, for the history. */
export interface ScheduleBackend {
  readonly destinations: Destinations;
  /** The clock that decides when schedules are due. */
  readonly clock: Clock;
  /** A note for clients in all answers, besides the destination. */
  readonly note?: string | undefined;
  /** Announces the three topics below for every change, and the list when topics come and go. */
  readonly feed: ChangeFeed;
  /** Everything of one topic. An unused topic is empty. */
  read(topic: string): Promise<TopicContent>;
  /** Topics with schedules or one-offs, in order. */
  topics(): Promise<string[]>;
  /** All schedules and waiting one-offs, of one topic or of all. */
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
  /** Removes a schedule, a waiting one-off or a dead letter. */
  remove(id: string, by: string): Promise<Changed>;
  /** Sends a schedule's notification now, in addition to its own times; that of a one-off now instead of later. */
  fire(id: string, by: string): Promise<Changed>;
  /** Sends a dead letter as a new notification. */
  resend(deadLetterId: string, by: string): Promise<Changed>;
  /** Sends at once, without a schedule. */
  send(push: Push, destination: string | undefined, by: string): Promise<void>;
  /**
   * Called when a watch of this topic begins; returns a function that ends it. For backends that must poll for changes.
   */
  watch(topic: string): () => void;
  close(): Promise<void>;
}

/** The topic of a change, and the entry after it; undefined if it was deleted. */
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
