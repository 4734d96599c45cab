// The event stream, live. While it is paused, new events are kept but not shown.
import { counted } from '@tidings/live/portable';
import { systemClock } from '@tidings/live/time';
import type { JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { TrackerEvent } from '@tidings/client/contract';
import { readPastEvents } from '../../hub/api.ts';
import { type TimelineFilter, timelineFilter, timelineFilterIn } from '../../hub/timeline-filter.ts';
import type { HubState } from '../../state/hub-state.ts';
import { useObserved } from '../../state/observable.ts';
import { Chart } from '../element/chart.tsx';
import { titleOf } from '../resource-title.ts';
import { href, withQuery } from '../route.ts';
import { TimelineFilters, typeWords } from './timeline-filters.tsx';
import { useNow } from '../element/use-now.ts';
import { definitionInWords } from '../element/definition-in-words.ts';
import { VirtualList } from '../element/virtual-list.tsx';

const rowHeight = 34;
/** The pause in typing after which older events are requested. */
const typingMs = 250;

export function TimelineView({ hub, query }: { hub: HubState; query: URLSearchParams }): JSX.Element {
  const { timeline } = hub;
  useObserved(hub, timeline, hub.catalog);
  const now = useNow();
  const [pausedAt, setPausedAt] = useState<number>();
  const filter = timelineFilterIn(query);
  const { server, type, uri, from, until } = filter;
  // `replace`: typing adds no entries to the history.
  const choose = (chosen: Partial<TimelineFilter>) => location.replace(withQuery('timeline', query, chosen));
  usePastEvents(hub, filter);
  const end = pausedAt ?? timeline.count;
  const shown = useMemo(() => {
    const passes = timelineFilter(filter);
    return timeline.entries.filter(({ number, event }) => number <= end && passes(event)).toReversed();
  }, [end, timeline.pastCount, server, type, uri, from, until]);
  const waiting = timeline.count - end;
  const seconds = timeline.seconds(now);
  return (
    <>
      <div class="heading">
        <h1>Timeline</h1>
        <p>{counted(shown.length, 'event')}</p>
        <span class="grow" />
        <button
          type="button"
          class="button strong"
          aria-pressed={pausedAt !== undefined}
          onClick={() => setPausedAt(pausedAt === undefined ? timeline.count : undefined)}
        >
          {pausedAt === undefined ? 'Pause' : waiting === 0 ? 'Resume' : `Catch up with ${waiting}`}
        </button>
      </div>
      <div class="charts">
        <Chart title="Updates per second" unit="/s" tone="rate" values={seconds.map(({ updates }) => updates)} />
        <Chart title="Delivery" unit="ms" tone="latency" values={seconds.map(({ latencyMs }) => latencyMs)} />
      </div>
      <TimelineFilters hub={hub} filter={filter} choose={choose} />
      {shown.length === 0 ? (
        <p class="empty pane">
          {end === 0
            ? 'No events yet. Changes of resources appear here at once.'
            : `None of the ${end} events matches the filter. New matching events appear here.`}
        </p>
      ) : (
        <VirtualList
          class="events pane"
          role="list"
          aria-label="Events, newest first"
          tabIndex={0}
          count={shown.length}
          rowHeight={rowHeight}
          onScrolled={(top) => {
            // Pauses when the user scrolls down: rows must not move while they are read.
            if (top > rowHeight) setPausedAt((at) => at ?? timeline.count);
          }}
          row={(index) => {
            const entry = shown[index];
            return entry && <EventRow key={`${entry.number} ${entry.cursor}`} event={entry.event} hub={hub} />;
          }}
        />
      )}
    </>
  );
}

/** The page has only the newest events: requests older ones that match the filter. */
function usePastEvents({ timeline, epoch }: HubState, filter: TimelineFilter): void {
  const { server, type, uri, from, until } = filter;
  useEffect(() => {
    if (server + type + uri + from + until === '') return undefined;
    let isWanted = true;
    const timer = systemClock.after(typingMs, () => {
      readPastEvents(filter).then(
        ({ events }) => {
          if (isWanted) timeline.addPast(events);
        },
        () => undefined,
      );
    });
    return () => {
      isWanted = false;
      timer.cancel();
    };
  }, [server, type, uri, from, until, epoch]);
}

function EventRow({ event, hub }: { event: TrackerEvent; hub: HubState }): JSX.Element {
  const { type, timestamp, serverId = 'all servers' } = event;
  return (
    <div role="listitem" class={`event ${type}`} style={{ height: `${rowHeight}px` }}>
      <Moment timestamp={timestamp} />
      <span class="badge">{typeWords[type]}</span>
      <span class="who" title={serverId}>
        {serverId}
      </span>
      <span class="what" title={words(event)}>
        {event.type === 'resource_update' ? (
          <UpdatedResource hub={hub} serverId={event.serverId} uri={event.resourceUri} />
        ) : event.type === 'definition_changed' && event.held ? (
          <a href={href('servers')}>{words(event)}</a>
        ) : (
          words(event)
        )}
      </span>
    </div>
  );
}

function UpdatedResource({ hub, serverId, uri }: { hub: HubState; serverId: string; uri: string }): JSX.Element {
  const listed = hub.catalog.find(serverId, uri);
  const title = listed && titleOf(listed);
  return (
    <>
      <a href={href('resources', { server: serverId, uri })}>{uri}</a>
      {title !== undefined && <span class="title faint wide-only">{title}</span>}
    </>
  );
}

function words(event: TrackerEvent): string {
  switch (event.type) {
    case 'resource_update':
      return event.resourceUri;
    case 'list_changed': {
      const named = [...event.added.map((uri) => `+ ${uri}`), ...event.removed.map((uri) => `− ${uri}`)];
      return named.length > 3 ? `${event.added.length} added, ${event.removed.length} removed` : named.join('  ');
    }
    case 'server_state':
      return [event.state, event.detail].filter(Boolean).join(': ');
    case 'definition_changed':
      return definitionWords(event);
    case 'resource_error':
      return [event.resourceUri, event.error].filter(Boolean).join(': ');
    default:
      return 'Events may have been missed; everything was read again.';
  }
}

function definitionWords({ kind, name, held, changes }: Extract<TrackerEvent, { type: 'definition_changed' }>): string {
  const what = definitionInWords({ kind, name });
  const how = changes.join() === 'new' ? 'new' : `changed: ${changes.join(', ')}`;
  return `${what} (${how})${held ? ', held back until you agree' : ''}`;
}

function Moment({ timestamp }: { timestamp: string }): JSX.Element {
  const date = new Date(timestamp);
  const padded = (value: number, length = 2) => String(value).padStart(length, '0');
  const isToday = date.toDateString() === new Date(systemClock.date()).toDateString();
  return (
    <time dateTime={timestamp} title={date.toLocaleString()}>
      {!isToday && `${date.toLocaleDateString(undefined, { month: 'short', day: 'numeric' })}, `}
      {[date.getHours(), date.getMinutes(), date.getSeconds()].map((value) => padded(value)).join(':')}
      <span class="wide-only">.{padded(date.getMilliseconds(), 3)}</span>
    </time>
  );
}
