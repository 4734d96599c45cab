// Filters of the fake OBS.
import { filterKinds } from './fake-studio.ts';
import { Declined, type Handler, filterOf, filtersOf, flag, number, settings, text } from './request.ts';

export const filterRequests: Record<string, Handler> = {
  GetSourceFilterList: (world, data) => ({
    filters: filtersOf(world, data)[1].map(({ name, kind, enabled, settings }, index) => ({
      filterName: name,
      filterKind: kind,
      filterEnabled: enabled,
      filterIndex: index,
      filterSettings: settings,
    })),
  }),
  GetSourceFilterKindList: () => ({ sourceFilterKinds: filterKinds }),
  CreateSourceFilter: (world, data) => {
    const [[sourceName, filters], name, kind] = [
      filtersOf(world, data),
      text(data, 'filterName'),
      text(data, 'filterKind'),
    ];
    if (filters.some((filter) => filter.name === name))
      throw new Declined(601, 'A filter already exists by that name.');
    if (!filterKinds.includes(kind)) throw new Declined(607, 'Your specified filter kind is not supported by OBS.');
    const filterSettings = data['filterSettings'] === undefined ? {} : settings(data, 'filterSettings');
    filters.push({ name, kind, enabled: true, settings: filterSettings });
    const event = { sourceName, filterName: name, filterKind: kind, filterIndex: filters.length - 1, filterSettings };
    world.emit('SourceFilterCreated', { ...event, defaultFilterSettings: {} });
  },
  RemoveSourceFilter: (world, data) => {
    const [sourceName, filter] = filterOf(world, data);
    const [, filters] = filtersOf(world, data);
    filters.splice(filters.indexOf(filter), 1);
    world.emit('SourceFilterRemoved', { sourceName, filterName: filter.name });
  },
  SetSourceFilterName: (world, data) => {
    const [sourceName, filter] = filterOf(world, data);
    const oldFilterName = filter.name;
    filter.name = text(data, 'newFilterName');
    world.emit('SourceFilterNameChanged', { sourceName, oldFilterName, filterName: filter.name });
  },
  SetSourceFilterIndex: (world, data) => {
    const [sourceName, filter] = filterOf(world, data);
    const [, filters] = filtersOf(world, data);
    filters.splice(filters.indexOf(filter), 1);
    filters.splice(number(data, 'filterIndex'), 0, filter);
    const order = filters.map(({ name }, index) => ({ filterName: name, filterIndex: index }));
    world.emit('SourceFilterListReindexed', { sourceName, filters: order });
  },
  // The event is sent even if the state has not changed.
  SetSourceFilterEnabled: (world, data) => {
    const [sourceName, filter] = filterOf(world, data);
    filter.enabled = flag(data, 'filterEnabled');
    const event = { sourceName, filterName: filter.name, filterEnabled: filter.enabled };
    world.emit('SourceFilterEnableStateChanged', event);
  },
  // No version seen so far sends an event for it.
  SetSourceFilterSettings: (world, data) => {
    const [, filter] = filterOf(world, data);
    const given = settings(data, 'filterSettings');
    filter.settings = data['overlay'] === false ? given : { ...filter.settings, ...given };
  },
};
