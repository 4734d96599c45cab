// What the schedules server shows: one resource per notification topic, and two that help to write a
// schedule.
import { type LiveServer, LiveError } from '@tidings/live';
import { cronExamples } from './model/cron-examples.ts';
import type { TopicContent } from './model/schedule.ts';
import { isTopic } from './model/topic.ts';
import { type ScheduleBackend, topicOf } from './source/backend.ts';

export function addResources(server: LiveServer, backend: ScheduleBackend): void {
  server.resource('schedules://{topic}', {
    title: 'Schedules of a topic',
    description: 'Recurring and one-off notifications of one topic, with the time each comes next.',
    mimeType: 'application/json',
    read: async ({ topic }) => {
      if (!isTopic(topic)) {
        throw new LiveError('RESOURCE_NOT_FOUND', `"${topic}" cannot be a topic: topics look like "team-alerts".`);
      }
      return describeTopic(await backend.read(topic));
    },
    list: async () => (await backend.topics()).map((topic) => ({ topic })),
    complete: { topic: async (prefix) => (await backend.topics()).filter((topic) => topic.startsWith(prefix)) },
    topics: ({ topic }) => [topicOf(topic)],
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

/** The content of a topic as the resource and the tools show it. */
export function describeTopic({ topic, schedules, pending }: TopicContent) {
  return { topic, count: schedules.length, schedules, pending };
}
