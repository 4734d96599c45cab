// Filters of inputs and scenes.
import type { EventOf } from '../event.ts';
import { withChanged, withEntry, withFields } from '../immutable.ts';
import type { Filter, Studio } from '../studio.ts';

export function withFilters(studio: Studio, source: string, filters: readonly Filter[]): Studio {
  if (studio.removedInputs.has(source)) return studio;
  return withFields(studio, { filters: withEntry(studio.filters, source, filters) });
}

export function filterRemoved(studio: Studio, { data }: EventOf<'SourceFilterRemoved'>): Studio {
  return withinSource(studio, data.sourceName, (filters) => filters.filter(({ name }) => name !== data.filterName));
}

export function filterRenamed(studio: Studio, { data }: EventOf<'SourceFilterNameChanged'>): Studio {
  return withFilter(studio, data.sourceName, data.oldFilterName, { name: data.filterName });
}

export function filterEnabledOrDisabled(studio: Studio, { data }: EventOf<'SourceFilterEnableStateChanged'>): Studio {
  return withFilter(studio, data.sourceName, data.filterName, { enabled: data.filterEnabled });
}

export function filterSettingsChanged(studio: Studio, { data }: EventOf<'SourceFilterSettingsChanged'>): Studio {
  return withFilter(studio, data.sourceName, data.filterName, { settings: data.filterSettings });
}

export function filtersReordered(studio: Studio, { data }: EventOf<'SourceFilterListReindexed'>): Studio {
  const order = data.filters.map(({ filterName }) => filterName);
  return withinSource(studio, data.sourceName, (filters) =>
    filters.toSorted((a, b) => order.indexOf(a.name) - order.indexOf(b.name)),
  );
}

function withFilter(studio: Studio, source: string, filter: string, fields: Partial<Filter>): Studio {
  return withinSource(studio, source, (filters) =>
    withChanged(
      filters,
      ({ name }) => name === filter,
      (each) => withFields(each, fields),
    ),
  );
}

/** An unknown source stays unknown. */
function withinSource(studio: Studio, source: string, change: (filters: readonly Filter[]) => readonly Filter[]) {
  const filters = studio.filters.get(source);
  return filters === undefined ? studio : withFilters(studio, source, change(filters));
}
