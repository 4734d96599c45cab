// The shown view and its parameters, which are in the address for bookmarks, links and the back button.
import { useEffect, useState } from 'preact/hooks';

export const viewNames = ['start', 'servers', 'resources', 'timeline', 'schedules', 'clients', 'sessions'] as const;
export type ViewName = (typeof viewNames)[number];

interface Route {
  view: ViewName;
  query: URLSearchParams;
}

const startedKey = 'tidings.started';

export function parseRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?');
  const fallback = localStorage.getItem(startedKey) === null ? 'start' : 'servers';
  return { view: viewNames.find((name) => name === path) ?? fallback, query: new URLSearchParams(query) };
}

export function href(view: ViewName, query: Record<string, string> = {}): string {
  const text = new URLSearchParams(query).toString();
  return `#/${view}${text === '' ? '' : `?${text}`}`;
}

/** The address with a changed query; empty parameters are left out. */
export function withQuery(view: ViewName, query: URLSearchParams, changed: Readonly<Record<string, string>>): string {
  const all = Object.entries({ ...Object.fromEntries(query), ...changed });
  return href(view, Object.fromEntries(all.filter(([, value]) => value !== '')));
}

export function useRoute(): Route {
  const [route, setRoute] = useState(() => parseRoute(location.hash));
  useEffect(() => {
    const follow = () => setRoute(parseRoute(location.hash));
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  useEffect(() => {
    // After another view was opened, the first steps are not shown at the next start.
    if (route.view !== 'start') localStorage.setItem(startedKey, '1');
  }, [route.view]);
  return route;
}
