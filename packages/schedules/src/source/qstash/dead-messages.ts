// Messages that QStash could not deliver, as dead letters.
import { z } from 'zod';
import type { DeadLetter } from '../../model/history.ts';
import { isoMoment } from './iso-moment.ts';
import type { NtfyAddress } from './ntfy-address.ts';

export const deadMessage = z.object({
  dlqId: z.string(),
  messageId: z.string().catch(''),
  scheduleId: z.string().optional().catch(undefined),
  url: z.string().catch(''),
  body: z.string().optional().catch(undefined),
  bodyBase64: z.string().optional().catch(undefined),
  createdAt: z.number().catch(0),
  responseStatus: z.number().optional().catch(undefined),
});

export type DeadMessage = z.infer<typeof deadMessage>;

/** QStash's ids of dead letters have the form `1725323658779-0`. */
export function isDeadMessageId(id: string): boolean {
  return /^\d+-\d+$/.test(id);
}

/** Undefined for messages that do not go to a topic of our ntfy server. */
export function readDead(message: DeadMessage, ntfy: NtfyAddress): DeadLetter | undefined {
  const topic = ntfy.topicAt(message.url);
  if (topic === undefined) return undefined;
  const { dlqId, messageId, scheduleId, body, bodyBase64 = '', createdAt, responseStatus } = message;
  const made = isoMoment(createdAt) ?? new Date(0).toISOString();
  return {
    dead_letter_id: dlqId,
    topic,
    schedule_id: scheduleId ?? messageId,
    notification_body: body ?? Buffer.from(bodyBase64, 'base64').toString(),
    status: 'failed',
    reason: responseStatus ? `ntfy answered ${responseStatus}.` : 'QStash could not deliver it: see its log.',
    occurrence: made,
    at: isoMoment(Number(dlqId.split('-')[0])) ?? made,
  };
}
