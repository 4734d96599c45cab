// The frame around the views: navigation and the state of the connection.
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { HubState } from './state/hub-state.ts';
import { ClientsView } from './view/client/clients-view.tsx';
import { ConnectionNote } from './view/connection-note.tsx';
import { Guarded } from './view/element/guarded.tsx';
import { Icon } from './view/element/icon.tsx';
import { LogOutButton } from './view/log-out-button.tsx';
import { ResourcesView } from './view/resource/resources-view.tsx';
import { type ViewName, href, useRoute, viewNames } from './view/route.ts';
import { SchedulesView } from './view/schedule/schedules-view.tsx';
import { ServersView } from './view/server/servers-view.tsx';
import { SessionsView } from './view/session/sessions-view.tsx';
import { StartView } from './view/start-view.tsx';
import { ThemeChoice } from './view/theme-choice.tsx';
import { TimelineView } from './view/timeline/timeline-view.tsx';

const titles: Readonly<Record<ViewName, string>> = {
  start: 'Start',
  servers: 'Servers',
  resources: 'Resources',
  timeline: 'Timeline',
  schedules: 'Schedules',
  clients: 'Clients',
  sessions: 'Sessions',
};

export function App({ hub }: { hub: HubState }): JSX.Element {
  const route = useRoute();
  const View = views[route.view];
  const main = useRef<HTMLElement>(null);
  useEffect(() => {
    document.title = `${titles[route.view]} · Tidings`;
  }, [route.view]);
  return (
    <>
      <a class="skip" href="#main" onClick={(event) => focusInstead(event, main.current)}>
        Skip to content
      </a>
      <header class="top">
        <a class="brand" href={href('servers')}>
          <img src="/icon.svg" alt="" width="28" height="28" />
          <span>Tidings</span>
        </a>
        <ConnectionNote hub={hub} />
        <ThemeChoice />
        <LogOutButton />
      </header>
      <nav class="tabs" aria-label="Views">
        {viewNames.map((name) => (
          <a key={name} href={href(name)} aria-current={route.view === name ? 'page' : undefined}>
            <Icon name={name} />
            <span>{titles[name]}</span>
          </a>
        ))}
      </nav>
      <main id="main" tabIndex={-1} ref={main}>
        <Guarded address={`${route.view}?${route.query.toString()}`}>
          <View hub={hub} query={route.query} />
        </Guarded>
      </main>
    </>
  );
}

const views: Readonly<Record<ViewName, (props: { hub: HubState; query: URLSearchParams }) => JSX.Element>> = {
  start: StartView,
  servers: ServersView,
  resources: ResourcesView,
  timeline: TimelineView,
  schedules: SchedulesView,
  clients: ClientsView,
  sessions: SessionsView,
};

/** The address names the view, so a link within the page must not replace it. */
function focusInstead(event: Event, target: HTMLElement | null): void {
  event.preventDefault();
  target?.focus();
}
