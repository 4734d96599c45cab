// The tools of the schedules server that the page calls, and the history of its topics.
import {
  type DeadLettersAnswer,
  type DestinationsAnswer,
  type SchedulesAnswer,
  type TopicHistory,
  deadLettersAnswer,
  destinationsAnswer,
  schedulesAnswer,
  topicHistory,
} from '@tidings/client/contract';
import { contentPath } from './contents.ts';
import { requestJson } from './hub-request.ts';
import { callServerTool } from './call-tool.ts';

export type ShownDestination = DestinationsAnswer['destinations'][number];

export interface AllSchedules {
  topics: SchedulesAnswer['topics'];
  letters: DeadLettersAnswer['dead_letters'];
  destinations: DestinationsAnswer['destinations'];
}

/** A resource that every schedules server lists, whatever its id: it identifies the server. */
export const identifyingUri = 'cron://examples';

export async function readSchedules(server: string): Promise<AllSchedules> {
  const [list, dead, places] = await Promise.all([
    callServerTool(server, 'list_scheduled_notifications'),
    callServerTool(server, 'list_dead_letters'),
    callServerTool(server, 'list_destinations'),
  ]);
  return {
    topics: schedulesAnswer.parse(list).topics,
    letters: deadLettersAnswer.parse(dead).dead_letters,
    destinations: destinationsAnswer.parse(places).destinations,
  };
}

export async function readTopicHistory(serverId: string, name: string): Promise<TopicHistory['history']> {
  const path = contentPath({ serverId, uri: `schedules://${name}/history` });
  return (await requestJson(path, topicHistory)).history;
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

/** Creates a schedule or a one-off, or changes the one with this id, if anything is to be changed. */
export async function saveSchedule(server: string, wanted: WantedSchedule): Promise<void> {
  const { id, isRecurring, ...fields } = wanted;
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  if (id === undefined) {
    await callServerTool(server, isRecurring ? 'schedule_cron_notification' : 'schedule_notification', given);
  } else if (Object.keys(given).length > 0) {
    await callServerTool(server, 'update_schedule', { schedule_id: id, ...given });
  }
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
