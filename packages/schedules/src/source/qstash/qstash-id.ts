// Checks ids of QStash, and distinguishes a schedule from a message.
import { LiveError } from '@tidings/live';
import { quotedValue } from '../../model/refusal.ts';

/** The SDK puts ids into paths unchanged, and `../messages` would be the path of all messages. */
export function isQstashId(id: string): boolean {
  return /^[\w-][\w.-]*$/.test(id);
}

export function assertSchedule(id: string, what: string, advice: string): void {
  if (!isMessageId(id)) return;
  throw new LiveError(
    'INVALID_PARAMS',
    `${quotedValue(id)} is a one-off notification, and in QStash only schedules can be ${what}. ${advice}`,
  );
}

export function isMessageId(id: string): boolean {
  return id.startsWith('msg_');
}

export function noSchedule(id: string): LiveError {
  return new LiveError(
    'RESOURCE_NOT_FOUND',
    `No schedule has the id ${quotedValue(id)}. list_scheduled_notifications lists them.`,
  );
}
