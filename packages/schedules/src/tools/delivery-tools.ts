// The tools that send at once, and those about destinations and dead letters.
import { randomUUID } from 'node:crypto';
import type { DeadLettersAnswer, DestinationsAnswer } from '@tidings/client/contract';
import type { Clock, LiveServer } from '@tidings/live';
import { noArguments, toolArguments } from '@tidings/live/internal';
import { z } from 'zod';
import { checkMessage } from '../model/message.ts';
import { checkTopic } from '../model/topic.ts';
import type { ScheduleBackend } from '../source/backend.ts';
import { byOf, done, structured } from './answer.ts';
import { checkChoice, notification } from './arguments.ts';

export function addPushTool(server: LiveServer, backend: ScheduleBackend, clock: Clock): void {
  server.tool(
    'send_push_notification',
    {
      title: 'Send a notification now',
      description:
        'Sends one notification at once. What is not text is used by ntfy; other destinations may ignore it.',
      input: notification.extend({
        title: z.string().optional().describe('A heading.'),
        priority: z.int().min(1).max(5).optional().describe('1 (low) to 5 (urgent).'),
        tags: z.array(z.string()).optional().describe('Words or emoji names that ntfy shows.'),
        markdown: z.boolean().optional().describe('Whether the message is Markdown.'),
        click: z.string().optional().describe('A URL to open when it is tapped.'),
        icon: z.string().optional().describe('The URL of an icon.'),
        attach: z.string().optional().describe('The URL of an attachment.'),
        filename: z.string().optional().describe('The name of the attachment.'),
        actions: z.array(z.record(z.string(), z.unknown())).optional().describe('Buttons, as ntfy defines them.'),
      }),
    },
    async ({ message, notification_topic, destination, ...rest }, context) => {
      const topic = checkTopic(notification_topic);
      const chosen = checkChoice({ destination }, backend.destinations).destination;
      const push = { id: `push_${randomUUID()}`, at: clock.date(), topic, message: checkMessage(message), ...rest };
      await backend.send(push, chosen, byOf(context));
      return done(backend, { topic, destination: chosen, details: {} });
    },
  );
}

export function addDeliveryTools(server: LiveServer, backend: ScheduleBackend): void {
  server.tool(
    'list_destinations',
    {
      title: 'List destinations',
      description:
        'Where notifications can go, by name, and which topic goes where. They are set by the operator of the server, ' +
        'together with their secrets; tools only choose among them.',
      input: noArguments,
      annotations: { readOnlyHint: true },
    },
    () => {
      const answer = { success: true, ...backend.destinations.shown() };
      return structured(answer satisfies DestinationsAnswer);
    },
  );

  server.tool(
    'list_dead_letters',
    {
      title: 'List notifications that were given up',
      description: 'Notifications that failed for good or were missed, with the reason, newest first.',
      input: toolArguments({ notification_topic: z.string().optional().describe('Only of this topic.') }),
      annotations: { readOnlyHint: true },
    },
    async ({ notification_topic }) => {
      const topic = notification_topic === undefined ? undefined : checkTopic(notification_topic);
      const dead_letters = await backend.deadLetters(topic);
      const answer = { success: true, count: dead_letters.length, dead_letters };
      return structured(answer satisfies DeadLettersAnswer);
    },
  );

  server.tool(
    'resend_notification',
    {
      title: 'Send a dead letter again',
      description: 'Sends a failed or missed notification again, as a new one-off that is due at once.',
      input: toolArguments({ dead_letter_id: z.string().describe('As list_dead_letters shows it.') }),
    },
    async ({ dead_letter_id }, context) => {
      const { topic, now } = await backend.resend(dead_letter_id, byOf(context));
      const id = now && 'notification_id' in now ? now.notification_id : undefined;
      const details = { ...(id !== undefined && { schedule_id: id }), ...now };
      return done(backend, { topic, destination: now?.destination, details });
    },
  );
}
