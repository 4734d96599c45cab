// For hosts that ignore notifications: two tools that say what changed, and wait until something does.
import { type Clock, type LiveServer, toolResult } from '@tidings/live';
import { type Journal, type JournalEntry, type TrackerEvent, passes } from '@tidings/track';
import { z } from 'zod';
import type { Sight, SightOf } from '../access/sight.ts';
import { seenBy } from '../access/visible-event.ts';

const event = z.looseObject({ type: z.string(), timestamp: z.string() });
const changes = z.object({
  events: z.array(event).describe('What happened, oldest first.'),
  cursor: z.string().describe('Give it as `since` next time.'),
  has_more: z.boolean(),
  has_gap: z.boolean().describe('Older events are gone: read again what you rely on.'),
});

const mostEvents = 100;
const longestWaitSeconds = 300;

export interface Changes {
  journal: Journal;
  sightOf: SightOf;
}

export function addChangeTools(server: LiveServer, { journal, sightOf }: Changes, clock: Clock): void {
  server.tool(
    'list_changes',
    {
      title: 'What changed',
      description: 'Which resources changed, newest state of all servers. Without `since`: the latest events.',
      input: z.object({ since: z.string().optional().describe('The cursor of an earlier answer.') }),
      output: changes,
      annotations: { readOnlyHint: true },
    },
    ({ since }, { caller }) => answer(changesSince(journal, since, sightOf(caller))),
  );

  server.tool(
    'wait_for_change',
    {
      title: 'Wait for a change',
      description: 'Returns as soon as one of these resources changes, or when the time is up with no events.',
      input: z.object({
        uris: z.array(z.string()).optional().describe('URIs, or prefixes that end in *. Default: anything.'),
        timeout_seconds: z.number().positive().max(longestWaitSeconds).optional().describe('Default: 30.'),
        since: z.string().optional().describe('The cursor of an earlier answer; what happened since counts.'),
      }),
      output: changes,
      annotations: { readOnlyHint: true },
    },
    ({ uris, timeout_seconds = 30, since }, { caller, mcpReq }) => {
      const from = since ?? journal.cursor;
      const look = () => wanted(changesSince(journal, from, sightOf(caller)), uris);
      return waitFor(journal, clock, timeout_seconds * 1000, mcpReq.signal, look);
    },
  );
}

type Found = z.infer<typeof changes>;

function changesSince(journal: Journal, since: string | undefined, sight: Sight): Found {
  const events: TrackerEvent[] = [];
  let page = journal.read({ after: since ?? latest(journal), limit: mostEvents });
  const hasGap = page.hasGap;
  // Pages of which this caller may see nothing are passed over.
  for (;;) {
    events.push(...visible(page.entries, sight));
    if (events.length > 0 || page.entries.length < mostEvents) break;
    page = journal.read({ after: page.cursor, limit: mostEvents });
  }
  return { events, cursor: page.cursor, has_more: page.cursor !== journal.cursor, has_gap: hasGap };
}

/** The cursor before the last events. */
function latest(journal: Journal): string | undefined {
  return journal.at(Math.max(journal.start, journal.end - mostEvents) - 1)?.cursor;
}

function visible(entries: readonly JournalEntry[], sight: Sight): TrackerEvent[] {
  return entries.flatMap(({ event }) => seenBy(sight, event) ?? []);
}

/** Without URIs everything counts; with some, only what happened to those. */
function wanted(found: Found, uris: readonly string[] | undefined): Found {
  if (uris === undefined) return found;
  const isWanted = (each: Found['events'][number]) =>
    uris.some((uri) => isAboutResources(each) && passes(each, { uri }));
  return { ...found, events: found.events.filter(isWanted) };
}

function isAboutResources(each: object): each is TrackerEvent {
  return 'type' in each && ['resource_update', 'list_changed', 'gap'].includes(String(each.type));
}

/** Looks now and after each event, until there is something, the time is up, or nobody waits any more. */
function waitFor(journal: Journal, clock: Clock, ms: number, signal: AbortSignal, look: () => Found) {
  return new Promise<ReturnType<typeof answer>>((resolve) => {
    const end = (found: Found) => {
      timer.cancel();
      unfollow();
      signal.removeEventListener('abort', abort);
      resolve(answer(found));
    };
    const check = () => {
      const found = look();
      if (found.events.length > 0 || found.has_gap) end(found);
    };
    const abort = () => end(look());
    const timer = clock.after(ms, () => end(look()));
    const unfollow = journal.follow(check);
    signal.addEventListener('abort', abort, { once: true });
    check();
  });
}

function answer(found: Found) {
  return toolResult({ content: [{ type: 'text', text: JSON.stringify(found) }], structuredContent: found });
}
