// `GET /api/events`: events of the journal after a cursor, or the newest, as far as the caller may see them.
import { type TrackerEvent, eventFilter } from '@tidings/client/contract';
import type { TimeSlice } from '@tidings/live/time';
import type { Journal, JournalEntry } from '@tidings/track';
import type { z } from 'zod';
import type { Permissions } from '../../access/permissions.ts';
import { seenBy } from '../../access/visible-event.ts';
import type { eventsQuery } from '../openapi/schemas.ts';

type Query = z.infer<typeof eventsQuery>;
type DatedEvent = TrackerEvent & { cursor: string };

interface PastEventsDeps {
  journal: Pick<Journal, 'at' | 'cursor' | 'end' | 'read' | 'start'>;
  /** Shared by all requests: each may compare the whole journal with a pattern. */
  slice: TimeSlice;
}

export async function pastEvents({ journal, slice }: PastEventsDeps, permissions: Permissions, query: Query) {
  const { after, last, limit, q, ...filter } = query;
  const passes = eventFilter({ ...filter, part: q });
  const { cursor: newestCursor, end, start } = journal;
  const page = last === undefined ? journal.read({ after, limit }) : undefined;
  const entries = page?.entries ?? backwards(journal, { start, end });
  const events: DatedEvent[] = [];
  for (const entry of entries) {
    if (events.length === last) break;
    // Another request may have used up the slice that this one waited for.
    for (let pause = slice.pause(); pause; pause = slice.pause()) await pause;
    const event = seenBy(permissions, entry.event);
    if (event && passes(event)) events.push({ cursor: entry.cursor, ...event });
  }
  if (page === undefined) {
    return { events: events.toReversed(), cursor: newestCursor, has_more: false, has_gap: false };
  }
  return { events, cursor: page.cursor, has_more: page.cursor !== newestCursor, has_gap: page.hasGap };
}

/** Skips events that have left the journal meanwhile. */
function* backwards(
  journal: Pick<Journal, 'at'>,
  { start, end }: Pick<Journal, 'start' | 'end'>,
): Iterable<JournalEntry> {
  for (let position = end - 1; position >= start; position -= 1) {
    const entry = journal.at(position);
    if (entry) yield entry;
  }
}
