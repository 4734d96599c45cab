// Waiting one-offs, read from QStash's log. QStash can look up and cancel a waiting message by its id but
// has no list of them; its log, filtered by a label of ours, is the only one there is. It is a little
// behind, and an account keeps it for some days only (3 on the free plan, where a message may wait 7): what
// waits longer than that, and was made by another process, is delivered but no longer listed.
import { z } from 'zod';
import type { OneOff } from '../../model/schedule.ts';
import { isoMoment } from './iso-moment.ts';
import type { NtfyAddress } from './ntfy-address.ts';

const mark = 'tidings-one-off';

/** As labels, which QStash keeps to itself; headers would be sent to ntfy. */
export function oneOffLabels(dueSeconds: number): string[] {
  return [mark, `due-${dueSeconds}`];
}

export const logFilter = { label: mark };

export const logEntry = z.object({
  time: z.coerce.number(),
  messageId: z.string(),
  scheduleId: z.string().optional().catch(undefined),
  state: z.string(),
  url: z.string().catch(''),
  /** Base64. */
  body: z.string().catch(''),
  labels: z.array(z.string()).catch([]),
  nextDeliveryTime: z.coerce.number().optional().catch(undefined),
  error: z.string().catch(''),
  responseStatus: z.number().optional().catch(undefined),
});

export type LogEntry = z.infer<typeof logEntry>;

/** The log entries of one message. */
export interface LoggedOneOff {
  id: string;
  topic: string;
  /** Undefined if it was delivered or cancelled. */
  oneOff: OneOff | undefined;
}

type Fate = 'waiting' | 'retrying' | 'failed' | 'gone';

const fates: Record<string, Fate> = {
  RETRY: 'retrying',
  ERROR: 'retrying',
  FAILED: 'failed',
  DELIVERED: 'gone',
  CANCELED: 'gone',
  CANCELLED: 'gone',
  CANCEL_REQUESTED: 'gone',
};

/** The log has an entry for every step of a message; the newest has its current state. */
export function oneOffsFromLog(entries: readonly LogEntry[], ntfy: NtfyAddress): LoggedOneOff[] {
  const byMessage = new Map<string, LogEntry[]>();
  for (const entry of entries) {
    const steps = byMessage.get(entry.messageId);
    if (steps) steps.push(entry);
    else byMessage.set(entry.messageId, [entry]);
  }
  return [...byMessage].flatMap(([id, steps]) => {
    steps.sort((a, b) => b.time - a.time);
    const [newest] = steps;
    const topic = ntfy.topicAt(newest?.url ?? '');
    if (newest === undefined || topic === undefined) return [];
    return [{ id, topic, oneOff: oneOffOf(id, newest, steps) }];
  });
}

function oneOffOf(id: string, newest: LogEntry, steps: readonly LogEntry[]): OneOff | undefined {
  const fate = fates[newest.state.toUpperCase()] ?? 'waiting';
  const due = dueOf(steps);
  if (fate === 'gone' || due === undefined) return undefined;
  const body = steps.find(({ body }) => body !== '')?.body ?? '';
  const plain = { notification_id: id, notification_body: Buffer.from(body, 'base64').toString(), due };
  if (fate === 'waiting') return { ...plain, status: 'pending' };
  const last_delivery = { status: fate, at: isoMoment(newest.time) ?? due, reason: reasonIn(steps) };
  return { ...plain, status: fate === 'failed' ? 'failed' : 'pending', last_delivery };
}

function dueOf(steps: readonly LogEntry[]): string | undefined {
  const labels = steps.flatMap(({ labels }) => labels);
  const seconds = labels.map((label) => /^due-(\d+)$/.exec(label)?.[1]).find((found) => found !== undefined);
  const ms = seconds === undefined ? steps.at(-1)?.nextDeliveryTime : Number(seconds) * 1000;
  return isoMoment(ms);
}

function reasonIn(steps: readonly LogEntry[]): string {
  const failed = steps.find(({ error, responseStatus }) => error || responseStatus);
  return (
    failed?.error || (failed?.responseStatus ? `ntfy answered ${failed.responseStatus}` : 'QStash does not say why')
  );
}
