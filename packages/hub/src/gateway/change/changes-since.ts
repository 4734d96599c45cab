// The events of the journal after a cursor, as one caller may see them.
import type { CallToolResult } from '@modelcontextprotocol/client';
import type { TrackerEvent } from '@tidings/client/contract';
import type { TimeSlice } from '@tidings/live/time';
import type { Journal } from '@tidings/track';

export const mostEvents = 100;

export interface FoundChanges {
  events: TrackerEvent[];
  cursor: string;
  has_more: boolean;
  has_gap: boolean;
}

/** Returns the event as the caller may see it, or undefined. */
export type PickEvent = (event: TrackerEvent) => TrackerEvent | undefined;

interface ChangesSinceDeps {
  journal: Pick<Journal, 'cursor' | 'read'>;
  /** Shared by all calls: a caller may read the whole journal, with many patterns, in many calls at once. */
  slice: TimeSlice;
}

/** The next events; pages without visible events are skipped. */
export async function changesSince(
  { journal, slice }: ChangesSinceDeps,
  since: string | undefined,
  pick: PickEvent,
): Promise<FoundChanges> {
  let page = journal.read({ after: since, limit: mostEvents });
  let { hasGap } = page;
  let events = page.entries.flatMap(({ event }) => pick(event) ?? []);
  while (events.length === 0 && page.entries.length === mostEvents) {
    // Another call may have used up the slice that this call waited for.
    for (let pause = slice.pause(); pause; pause = slice.pause()) await pause;
    page = journal.read({ after: page.cursor, limit: mostEvents });
    hasGap ||= page.hasGap;
    events = page.entries.flatMap(({ event }) => pick(event) ?? []);
  }
  return { events, cursor: page.cursor, has_more: page.cursor !== journal.cursor, has_gap: hasGap };
}

export function changesResult(found: FoundChanges): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(found) }], structuredContent: { ...found } };
}
