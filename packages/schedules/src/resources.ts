// The resources of the schedules server: one per notification topic, and two that help to write a schedule.
import type { TopicHistory } from '@tidings/client/contract';
import { type LiveServer, LiveError } from '@tidings/live';
import { cronExamples } from './model/cron-examples.ts';
import type { TopicContent } from './model/schedule.ts';
import { isTopic } from './model/topic.ts';
import { type ScheduleBackend, deadLetterTopicOf, historyTopicOf, topicOf } from './source/backend.ts';

export function addResources(server: LiveServer, backend: ScheduleBackend): void {
  const completed = async (prefix: string) => (await backend.topics()).filter((topic) => topic.startsWith(prefix));
  server.resource('schedules://{topic}', {
    title: 'Schedules of a topic',
    description: 'Recurring and one-off notifications of one topic, with the time each comes next.',
    mimeType: 'application/json',
    read: async ({ topic }) => describeTopic(await backend.read(checked(topic))),
    list: async () => (await backend.topics()).map((topic) => ({ topic })),
    complete: { topic: completed },
    topics: ({ topic }) => [topicOf(topic)],
    watch: ({ topic }) => backend.watch(topic),
  });

  // Not listed: a client that follows the whole list would be notified of every delivery twice.
  server.resource('schedules://{topic}/history', {
    title: 'History of a topic',
    description: 'What was made, fired, delivered, given up and changed in one topic, and by whom, newest first.',
    mimeType: 'application/json',
    read: async ({ topic }) => {
      const history = await backend.history(checked(topic));
      const answer = { topic, count: history.length, history };
      return answer satisfies TopicHistory;
    },
    complete: { topic: completed },
    topics: ({ topic }) => [historyTopicOf(topic)],
    watch: ({ topic }) => backend.watch(topic),
  });

  server.resource('schedules://{topic}/dead-letters', {
    title: 'Dead letters of a topic',
    description: 'Notifications of one topic that were given up or missed; resend_notification sends one again.',
    mimeType: 'application/json',
    read: async ({ topic }) => {
      const dead_letters = await backend.deadLetters(checked(topic));
      return { topic, count: dead_letters.length, dead_letters };
    },
    complete: { topic: completed },
    topics: ({ topic }) => [deadLetterTopicOf(topic)],
    watch: ({ topic }) => backend.watch(topic),
  });

  server.resource('cron://examples', {
    name: 'Cron examples',
    title: 'How to write a cron expression',
    mimeType: 'application/json',
    read: () => cronExamples,
  });

  server.resource('timezones://valid', {
    name: 'Time zones',
    title: 'Time zones a schedule can use',
    mimeType: 'application/json',
    read: () => {
      const timezones = zones().map((zone) => ({
        zone,
        region: zone.split('/')[0] ?? zone,
      }));
      return { timezones, count: timezones.length };
    },
  });
}

/** Node's list lacks UTC. */
function zones(): string[] {
  return [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])];
}

function checked(topic: string): string {
  if (isTopic(topic)) return topic;
  throw new LiveError('RESOURCE_NOT_FOUND', `"${topic}" cannot be a topic: topics look like "team-alerts".`);
}

/** The content of a topic as the resource and the tools show it. */
export function describeTopic({ topic, schedules, pending, incomplete }: TopicContent) {
  return { topic, count: schedules.length, schedules, pending, ...(incomplete !== undefined && { incomplete }) };
}
