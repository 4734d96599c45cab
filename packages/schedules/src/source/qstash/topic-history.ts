// Converts QStash's log of a topic to its history.
import type { HistoryEntry, HistoryEvent } from '../../model/history.ts';
import { isoMoment } from './iso-moment.ts';
import type { LogEntry } from './one-off-log.ts';

const events: Readonly<Record<string, HistoryEvent>> = {
  CREATED: 'created',
  ACTIVE: 'fired',
  DELIVERED: 'delivered',
  ERROR: 'retrying',
  RETRY: 'retrying',
  FAILED: 'failed',
  CANCELED: 'deleted',
  CANCELLED: 'deleted',
  CANCEL_REQUESTED: 'deleted',
};

/** Newest first, like the log. */
export function historyFromLog(entries: readonly LogEntry[]): HistoryEntry[] {
  return entries.flatMap(({ time, state, scheduleId, messageId, body, error, responseStatus }) => {
    const event = events[state.toUpperCase()];
    const at = isoMoment(time);
    if (event === undefined || at === undefined) return [];
    const reason = error || (responseStatus ? `ntfy answered ${responseStatus}` : '');
    const entry: HistoryEntry = {
      at,
      event,
      schedule_id: scheduleId ?? messageId,
      by: 'QStash',
      ...(body !== '' && { notification_body: Buffer.from(body, 'base64').toString() }),
      ...(reason !== '' && { reason }),
    };
    return [entry];
  });
}
