// Every server, or the page of the one that the address names.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { HubState } from '../../state/hub-state.ts';
import { useObserved } from '../../state/observable.ts';
import { AddServerDialog } from './add-server-dialog.tsx';
import { href } from '../route.ts';
import { ServerCard } from './server-card.tsx';
import { ServerPage } from './server-page.tsx';
import { useNow } from '../element/use-now.ts';

export function ServersView({ hub, query }: { hub: HubState; query: URLSearchParams }): JSX.Element {
  const id = query.get('id');
  return id === null ? <AllServers hub={hub} /> : <ServerPage key={id} hub={hub} id={id} />;
}

function AllServers({ hub }: { hub: HubState }): JSX.Element {
  useObserved(hub, hub.timeline);
  const now = useNow();
  const [isAdding, setAdding] = useState(false);
  const live = hub.servers.filter(({ state, condition }) => state === 'live' && condition === undefined).length;
  const troubled = hub.servers.filter(({ condition }) => condition === 'troubled').length;
  return (
    <>
      <div class="heading">
        <h1>Servers</h1>
        <p>
          {live} of {hub.servers.length} live
          {troubled > 0 && `, ${troubled} ${troubled === 1 ? 'needs' : 'need'} attention`}
        </p>
        <span class="grow" />
        {typeof hub.configFile === 'string' && (
          <button type="button" class="button strong" onClick={() => setAdding(true)}>
            Add a server
          </button>
        )}
      </div>
      {isAdding && typeof hub.configFile === 'string' && (
        <AddServerDialog
          configFile={hub.configFile}
          onClose={() => setAdding(false)}
          onAdded={(id) => {
            setAdding(false);
            void hub.refreshServers();
            location.hash = href('servers', { id });
          }}
        />
      )}
      {hub.servers.length === 0 && hub.wasOpen && (
        <p class="empty pane">
          No server is configured. <a href={href('start')}>The first steps</a> show how to add one.
        </p>
      )}
      {hub.configFile === null && (
        <p class="faint">
          With a configuration file (<code>tidings up --config FILE</code>), servers can be added and removed here.
        </p>
      )}
      <ul class="cards">
        {hub.servers.map((server) => (
          <ServerCard key={server.id} server={server} hub={hub} now={now} />
        ))}
      </ul>
    </>
  );
}
