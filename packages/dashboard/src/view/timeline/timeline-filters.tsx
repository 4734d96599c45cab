// The filter of the timeline. It is in the address, so that it can be bookmarked and shared.
import type { TrackerEvent } from '@tidings/client/contract';
import type { JSX } from 'preact';
import { eventsPath } from '../../hub/api.ts';
import type { TimelineFilter } from '../../hub/timeline-filter.ts';
import type { HubState } from '../../state/hub-state.ts';
import { isoTimeOf, localTimeOf } from '../element/local-time.ts';
import { useTyped } from '../element/use-typed.ts';

export const typeWords: Readonly<Record<TrackerEvent['type'], string>> = {
  resource_update: 'Updated',
  list_changed: 'List changed',
  server_state: 'Server state',
  resource_error: 'Error',
  definition_changed: 'Definition',
  gap: 'Gap',
};

interface TimelineFiltersProps {
  hub: HubState;
  filter: TimelineFilter;
  choose(this: void, chosen: Partial<TimelineFilter>): void;
}

export function TimelineFilters({ hub, filter, choose }: TimelineFiltersProps): JSX.Element {
  const { server, type, uri } = filter;
  const [typed, setTyped] = useTyped(uri, (text) => choose({ uri: text }));
  const time = (name: 'from' | 'until', words: string) => (
    <label>
      <span>{words}</span>
      <input
        type="datetime-local"
        class="search"
        step={1}
        value={localTimeOf(filter[name])}
        onChange={({ currentTarget }) => choose({ [name]: isoTimeOf(currentTarget.value) })}
      />
    </label>
  );
  return (
    <div class="filters">
      <select
        aria-label="Server"
        value={server}
        onChange={({ currentTarget }) => choose({ server: currentTarget.value })}
      >
        <option value="">All servers</option>
        {hub.servers.map(({ id }) => (
          <option key={id} value={id}>
            {id}
          </option>
        ))}
      </select>
      <select aria-label="Type" value={type} onChange={({ currentTarget }) => choose({ type: currentTarget.value })}>
        <option value="">All types</option>
        {Object.entries(typeWords).map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
      <input
        type="search"
        class="search"
        aria-label="URI"
        placeholder="Part of a URI"
        value={typed}
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      <a class="button" href={eventsPath(filter)} target="_blank" rel="noreferrer">
        As JSON
      </a>
      <details class="range" open={filter.from !== '' || filter.until !== ''}>
        <summary class="button">Time</summary>
        <div class="times">
          {time('from', 'From')}
          {time('until', 'Until')}
        </div>
      </details>
    </div>
  );
}
