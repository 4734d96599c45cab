// The tools of the schedules server. Arguments are checked here, in words that say what to do, before
// anything is asked of the backend.
import { type Clock, type LiveServer, toolResult } from '@tidings/live';
import { z } from 'zod';
import { checkCron } from './model/cron.ts';
import { checkLabel } from './model/label.ts';
import { checkMessage } from './model/message.ts';
import { resolveOneOff } from './model/one-off.ts';
import { checkTimezone } from './model/timezone.ts';
import { checkTopic } from './model/topic.ts';
import { describeTopic } from './resources.ts';
import type { ScheduleBackend } from './source/backend.ts';

const notification = z.object({
  message: z.string().describe('What the notification says.'),
  notification_topic: z.string().describe('Who gets it: lower-case words with hyphens, such as "team-alerts".'),
});

const scheduleId = z.object({ schedule_id: z.string().describe('As returned when it was made, or listed.') });

export function addTools(server: LiveServer, backend: ScheduleBackend, clock: Clock): void {
  addSchedulingTools(server, backend, clock);
  addManagingTools(server, backend);
  addPushTool(server, backend);
  server.tool(
    'get_current_time',
    {
      title: 'Current time',
      description: 'The time now, in UTC or in a time zone. Ask before turning "in an hour" into a date.',
      input: z.object({ timezone: z.string().optional().describe('Such as "Europe/Oslo". Default: UTC.') }),
      annotations: { readOnlyHint: true },
    },
    ({ timezone = 'UTC' }) => {
      const now = new Date(clock.date());
      const local = now.toLocaleString('sv-SE', { timeZone: checkTimezone(timezone), timeZoneName: 'longOffset' });
      return structured({ utc: now.toISOString(), timezone, local });
    },
  );
}

function addSchedulingTools(server: LiveServer, backend: ScheduleBackend, clock: Clock): void {
  server.tool(
    'schedule_cron_notification',
    {
      title: 'Schedule a recurring notification',
      description: 'Sends a notification again and again, by a cron expression in a time zone. See cron://examples.',
      input: notification.extend({
        cron: z.string().describe('Five fields, such as "0 9 * * 1-5".'),
        timezone: z.string().describe('An IANA name, such as "Europe/Oslo". See timezones://valid.'),
        label: z.string().optional().describe('A name of your own: letters, digits, dots, dashes, underscores.'),
      }),
    },
    async (args) => {
      const topic = checkTopic(args.notification_topic);
      const message = checkMessage(args.message);
      const label = args.label === undefined ? undefined : checkLabel(args.label);
      const schedule = await backend.addCron({ topic, message, label, ...checkCron(args.cron, args.timezone) });
      return done(backend, topic, { ...schedule });
    },
  );

  server.tool(
    'schedule_notification',
    {
      title: 'Schedule one notification',
      description:
        'Sends one notification later. Give exactly one of: delay ("10m"), datetime with an offset ' +
        '("2026-12-24T18:00:00+01:00"), or time with timezone and, if it is not the next such time, date.',
      input: notification.extend({
        delay: z.string().optional().describe('Such as "30s", "10m", "2h" or "1h30m".'),
        datetime: z.string().optional().describe('ISO 8601 with an offset or Z.'),
        date: z.string().optional().describe('Such as "2026-12-24".'),
        time: z.string().optional().describe('Such as "18:00".'),
        timezone: z.string().optional().describe('An IANA name, such as "Europe/Oslo".'),
      }),
    },
    async ({ message, notification_topic, ...when }) => {
      const topic = checkTopic(notification_topic);
      const due = resolveOneOff(when, new Date(clock.date()));
      const oneOff = await backend.addOneOff({ topic, message: checkMessage(message), due });
      return done(backend, topic, { schedule_id: oneOff.notification_id, ...oneOff });
    },
  );
}

function addManagingTools(server: LiveServer, backend: ScheduleBackend): void {
  server.tool(
    'list_scheduled_notifications',
    {
      title: 'List scheduled notifications',
      description: 'All schedules and waiting notifications, or those of one topic.',
      input: z.object({ notification_topic: z.string().optional() }),
      annotations: { readOnlyHint: true },
    },
    async ({ notification_topic }) => {
      const topic = notification_topic === undefined ? undefined : checkTopic(notification_topic);
      const topics = (await backend.list(topic)).map(describeTopic);
      return structured({ success: true, destination: backend.destination, topics });
    },
  );

  const manage = (name: string, title: string, act: (id: string) => Promise<string>, isDestructive = false) =>
    server.tool(
      name,
      { title, input: scheduleId, annotations: { idempotentHint: true, destructiveHint: isDestructive } },
      async ({ schedule_id }) => done(backend, await act(schedule_id), { schedule_id }),
    );
  manage('pause_schedule', 'Pause a schedule', (id) => backend.pause(id));
  manage('resume_schedule', 'Resume a paused schedule', (id) => backend.resume(id));
  manage('delete_schedule', 'Delete a schedule or a waiting notification', (id) => backend.remove(id), true);
}

function addPushTool(server: LiveServer, backend: ScheduleBackend): void {
  server.tool(
    'send_push_notification',
    {
      title: 'Send a notification now',
      description: 'Sends one notification at once.',
      input: notification.extend({
        title: z.string().optional(),
        priority: z.int().min(1).max(5).optional().describe('1 (low) to 5 (urgent).'),
        tags: z.array(z.string()).optional(),
        markdown: z.boolean().optional(),
        click: z.string().optional().describe('A URL to open when it is tapped.'),
        icon: z.string().optional().describe('The URL of an icon.'),
        attach: z.string().optional().describe('The URL of an attachment.'),
        filename: z.string().optional(),
        actions: z.array(z.record(z.string(), z.unknown())).optional().describe('Buttons, as ntfy defines them.'),
      }),
    },
    async ({ message, notification_topic, ...rest }) => {
      const topic = checkTopic(notification_topic);
      await backend.send({ topic, message: checkMessage(message), ...rest });
      return done(backend, topic, {});
    },
  );
}

/** Every answer says what was done, where it can be seen, and where notifications go. */
function done(backend: ScheduleBackend, topic: string, details: Record<string, unknown>) {
  const resource = `schedules://${topic}`;
  const answer = { success: true, notification_topic: topic, ...details, resource, destination: backend.destination };
  const link = { type: 'resource_link' as const, uri: resource, name: topic, mimeType: 'application/json' };
  return toolResult({ content: [{ type: 'text', text: JSON.stringify(answer) }, link], structuredContent: answer });
}

function structured(value: Record<string, unknown>) {
  return toolResult({ content: [{ type: 'text', text: JSON.stringify(value) }], structuredContent: value });
}
