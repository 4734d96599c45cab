// The tools that show schedules and act on them.
import type { SchedulesAnswer } from '@tidings/client/contract';
import type { LiveServer } from '@tidings/live';
import { toolArguments } from '@tidings/live/internal';
import { z } from 'zod';
import type { TopicContent } from '../model/schedule.ts';
import { checkTopic } from '../model/topic.ts';
import { describeTopic } from '../resources.ts';
import type { Changed, ScheduleBackend } from '../source/backend.ts';
import { byOf, done, structured } from './answer.ts';
import { scheduleId } from './arguments.ts';

export function addManagingTools(server: LiveServer, backend: ScheduleBackend): void {
  server.tool(
    'list_scheduled_notifications',
    {
      title: 'List scheduled notifications',
      description: 'All schedules and waiting notifications, or those of one topic, and where each topic goes.',
      input: toolArguments({ notification_topic: z.string().optional().describe('Only of this topic.') }),
      annotations: { readOnlyHint: true },
    },
    async ({ notification_topic }) => {
      const topic = notification_topic === undefined ? undefined : checkTopic(notification_topic);
      const { destinations, note } = backend;
      const shown = (content: TopicContent) => {
        const destination = destinations.wordsFor(content.topic);
        return { ...describeTopic(content), destination };
      };
      const topics = (await backend.list(topic)).map(shown);
      const destination = destinations.wordsFor(topic ?? '');
      const answer = { success: true, destination, ...(note !== undefined && { note }), topics };
      return structured(answer satisfies SchedulesAnswer);
    },
  );

  interface Managing {
    title: string;
    description: string;
    act: (id: string, by: string) => Promise<Changed>;
    isDestructive?: boolean;
    isIdempotent?: boolean;
  }
  const manage = (name: string, { title, description, act, isDestructive = false, isIdempotent = true }: Managing) =>
    server.tool(
      name,
      {
        title,
        description,
        input: scheduleId,
        annotations: { idempotentHint: isIdempotent, destructiveHint: isDestructive },
      },
      async ({ schedule_id }, context) => {
        const { topic, now } = await act(schedule_id, byOf(context));
        return done(backend, { topic, destination: now?.destination, details: { schedule_id, ...now } });
      },
    );
  manage('pause_schedule', {
    title: 'Pause a schedule',
    description: 'A paused recurring schedule sends nothing until it is resumed. Retries that wait are given up.',
    act: (id, by) => backend.pause(id, by),
  });
  manage('resume_schedule', {
    title: 'Resume a paused schedule',
    description: 'The schedule continues with its next occurrence; occurrences during the pause are not sent.',
    act: (id, by) => backend.resume(id, by),
  });
  manage('delete_schedule', {
    title: 'Delete a schedule, a waiting notification or a dead letter',
    description:
      'Takes back a recurring schedule, a one-off that waits or failed, or a dead letter. Its history stays.',
    act: (id, by) => backend.remove(id, by),
    isDestructive: true,
  });
  manage('fire_schedule', {
    title: 'Send the notification of a schedule now',
    description:
      'Sends it once now, also where the schedule is paused; its own times stay. A one-off is sent now instead of later.',
    act: (id, by) => backend.fire(id, by),
    isIdempotent: false,
  });
}
