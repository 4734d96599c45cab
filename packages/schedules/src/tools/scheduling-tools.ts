// The tools that make and change schedules.
import type { Clock, LiveServer } from '@tidings/live';
import { z } from 'zod';
import { checkCron } from '../model/cron.ts';
import { checkLabel } from '../model/label.ts';
import { checkMessage } from '../model/message.ts';
import { type OneOffTime, resolveOneOff } from '../model/one-off.ts';
import { refusal } from '../model/refusal.ts';
import { checkTimezone } from '../model/timezone.ts';
import { checkTopic } from '../model/topic.ts';
import { checkTries } from '../model/tries.ts';
import type { ScheduleBackend } from '../source/backend.ts';
import { byOf, done } from './answer.ts';
import {
  checkChoice,
  destinationArgument,
  messageArgument,
  notification,
  oneOffTimes,
  scheduleId,
  triesArgument,
} from './arguments.ts';

export function addSchedulingTools(server: LiveServer, backend: ScheduleBackend, clock: Clock): void {
  server.tool(
    'schedule_cron_notification',
    {
      title: 'Schedule a recurring notification',
      description: 'Sends a recurring notification, by a cron expression in a time zone. See cron://examples.',
      input: notification.extend({
        cron: z.string().describe('Five fields, such as "0 9 * * 1-5".'),
        timezone: z.string().describe('An IANA name, such as "Europe/Oslo". See timezones://valid.'),
        label: z.string().optional().describe('A name of your own: letters, digits, dots, dashes, underscores.'),
        tries: triesArgument.optional(),
      }),
    },
    async (args, context) => {
      const topic = checkTopic(args.notification_topic);
      const message = checkMessage(args.message);
      const label = args.label === undefined ? undefined : checkLabel(args.label);
      const choice = checkChoice(args, backend.destinations);
      const request = { topic, message, label, ...choice, ...checkCron(args.cron, args.timezone) };
      const schedule = await backend.addCron(request, byOf(context));
      return done(backend, { topic, destination: choice.destination, details: { ...schedule } });
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
        ...oneOffTimes,
        timezone: z.string().optional().describe('An IANA name, such as "Europe/Oslo".'),
        tries: triesArgument.optional(),
      }),
    },
    async ({ message, notification_topic, destination, tries, ...when }, context) => {
      const topic = checkTopic(notification_topic);
      const due = resolveOneOff(when, new Date(clock.date()));
      const choice = checkChoice({ destination, tries }, backend.destinations);
      const request = { topic, message: checkMessage(message), due, ...choice };
      const oneOff = await backend.addOneOff(request, byOf(context));
      const details = { schedule_id: oneOff.notification_id, ...oneOff };
      return done(backend, { topic, destination: choice.destination, details });
    },
  );
}

const orUsual = 'Null: as for the topic.';

export function addUpdateTool(server: LiveServer, backend: ScheduleBackend, clock: Clock): void {
  server.tool(
    'update_schedule',
    {
      title: 'Change a schedule or a waiting notification',
      description:
        'Changes what is given and keeps the rest, under the same id: message, destination and tries of both; cron, ' +
        'timezone and label of a recurring schedule; the time of a one-off (delay, datetime, or time with timezone).',
      input: scheduleId.extend({
        message: messageArgument.optional(),
        cron: z.string().optional().describe('Five fields, such as "0 9 * * 1-5". Of a recurring schedule.'),
        timezone: z.string().optional().describe('An IANA name, such as "Europe/Oslo".'),
        label: z.string().nullable().optional().describe('Of a recurring schedule. Null removes it.'),
        ...oneOffTimes,
        destination: destinationArgument.nullable().optional().describe(`The name of a destination. ${orUsual}`),
        tries: triesArgument.nullable().optional().describe(`How often the delivery is tried at most. ${orUsual}`),
      }),
      annotations: { idempotentHint: true, destructiveHint: true },
    },
    async ({ schedule_id, message, cron, timezone, label, destination, tries, ...times }, context) => {
      const isNamed = typeof destination === 'string';
      const update = {
        message: message === undefined ? undefined : checkMessage(message),
        cron,
        timezone: timezone === undefined ? undefined : checkTimezone(timezone),
        label: typeof label === 'string' ? checkLabel(label) : label,
        due: dueIn({ ...times, timezone }, new Date(clock.date())),
        destination: isNamed ? backend.destinations.check(destination) : destination,
        tries: typeof tries === 'number' ? checkTries(tries) : tries,
      };
      if (Object.values(update).every((value) => value === undefined)) {
        throw refusal('Nothing to change was given.', 'message "Stand-up moved to ten"');
      }
      const { topic, now } = await backend.update(schedule_id, update, byOf(context));
      return done(backend, { topic, destination: now?.destination, details: { schedule_id, ...now } });
    },
  );
}

/** Undefined if no new time of a one-off is given. */
function dueIn(when: OneOffTime, now: Date): number | undefined {
  const { delay, datetime, date, time } = when;
  const isGiven = [delay, datetime, date, time].some((each) => each !== undefined);
  return isGiven ? resolveOneOff(when, now) : undefined;
}
