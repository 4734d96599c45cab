// The answers of tools: the change, its resource, the destination of notifications; and the name of the caller.
import { type CallContext, toolResult } from '@tidings/live';
import type { ScheduleBackend } from '../source/backend.ts';

export interface Answered {
  topic: string;
  /** The chosen destination, if it is not that of the topic. */
  destination?: string | null | undefined;
  details: Record<string, unknown>;
}

export function done({ destinations, note }: ScheduleBackend, { topic, destination, details }: Answered) {
  const resource = `schedules://${topic}`;
  const to = destinations.wordsFor(topic, destination);
  const { destination: destination_name = destinations.nameFor(topic, destination), ...rest } = details;
  const answer = {
    success: true,
    notification_topic: topic,
    ...rest,
    resource,
    history: `${resource}/history`,
    destination: to,
    destination_name,
    ...(note !== undefined && { note }),
  };
  const link = { type: 'resource_link' as const, uri: resource, name: topic, mimeType: 'application/json' };
  return toolResult({ content: [{ type: 'text', text: JSON.stringify(answer) }, link], structuredContent: answer });
}

export function structured(value: Record<string, unknown>) {
  return toolResult({ content: [{ type: 'text', text: JSON.stringify(value) }], structuredContent: value });
}

const longestName = 64;

/** The caller's name in the history: that of the credential or, without one, of the client. */
export function byOf({ caller, client }: Pick<CallContext, 'caller' | 'client'>): string {
  const name = caller.auth?.subject ?? client.info?.name ?? '';
  return name.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, longestName) || 'a client';
}
