// `GET /api/events`: events of the journal after a cursor, or the newest, as far as the caller may see them.
import { type TrackerEvent, urisOf } from '@tidings/client/contract';
import type { Journal, JournalEntry } from '@tidings/track';
import { eventFilter } from '@tidings/track/internal';
import type { z } from 'zod';
import type { Permissions } from '../access/permissions.ts';
import { seenBy } from '../access/visible-event.ts';
import type { eventsQuery } from './schemas.ts';

type Query = z.infer<typeof eventsQuery>;
type DatedEvent = TrackerEvent & { cursor: string };

export function pastEvents(journal: Journal, permissions: Permissions, query: Query) {
  const { after, last, limit } = query;
  const passes = filterOf(query);
  const shown = ({ cursor, event: whole }: JournalEntry): DatedEvent[] => {
    const event = seenBy(permissions, whole);
    return event && passes(event) ? [{ cursor, ...event }] : [];
  };
  if (last !== undefined) {
    const { cursor } = journal;
    return { events: newest(journal, shown, last), cursor, has_more: false, has_gap: false };
  }
  const { entries, hasGap, cursor } = journal.read({ after, limit });
  return { events: entries.flatMap(shown), cursor, has_more: cursor !== journal.cursor, has_gap: hasGap };
}

/** Goes back through the whole journal, until there are enough. */
function newest(journal: Journal, shown: (entry: JournalEntry) => DatedEvent[], count: number): DatedEvent[] {
  const found: DatedEvent[] = [];
  for (let place = journal.end - 1; place >= journal.start && found.length < count; place -= 1) {
    const entry = journal.at(place);
    if (entry) found.push(...shown(entry));
  }
  return found.toReversed();
}

function filterOf({ server, uri, q, type }: Query): (event: TrackerEvent) => boolean {
  const passes = eventFilter({ server, uri });
  const part = q?.toLowerCase();
  const hasPart = (event: TrackerEvent) =>
    part === undefined || urisOf(event).some((each) => each.toLowerCase().includes(part));
  return (event) => (type === undefined || event.type === type) && passes(event) && hasPart(event);
}
