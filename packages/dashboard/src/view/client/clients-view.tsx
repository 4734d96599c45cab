// The MCP clients of the hub: their connections, watched and read resources, and numbers of notifications.
import { counted } from '@tidings/live/portable';
import type { JSX } from 'preact';
import { readClients } from '../../hub/api.ts';
import type { HubState } from '../../state/hub-state.ts';
import { useObserved } from '../../state/observable.ts';
import { clientName } from './client-name.ts';
import { ClientPanel } from './client-panel.tsx';
import { ProblemNote } from '../element/problem-note.tsx';
import { href } from '../route.ts';
import { CopyableText } from '../element/copyable-text.tsx';
import { agoInWords, useNow } from '../element/use-now.ts';
import { usePolled } from '../element/use-polled.ts';

export function ClientsView({ hub, query }: { hub: HubState; query: URLSearchParams }): JSX.Element {
  useObserved(hub, hub.catalog);
  const now = useNow();
  const { value, problem } = usePolled(hub, readClients);
  const clients = value?.clients ?? [];
  const chosen = clients.find(({ id }) => id === query.get('id')) ?? clients[0];
  const connected = clients.filter((client) => client.connected).length;
  return (
    <>
      <div class="heading">
        <h1>Clients</h1>
        {value && (
          <p>
            {connected} connected, {clients.length - connected} seen lately
            {value.eventStreams != null && `, ${counted(value.eventStreams, 'reader')} of the event stream`}
          </p>
        )}
      </div>
      <ProblemNote text={problem} />
      {!value && problem === '' && <p class="empty pane">Reading…</p>}
      {value !== undefined && clients.length === 0 && <NoClients />}
      {chosen && (
        <div class="split narrow">
          <ul class="pane sessions" aria-label="Clients">
            {clients.map((client) => (
              <li key={client.id}>
                <a href={href('clients', { id: client.id })} aria-current={client === chosen ? 'true' : undefined}>
                  <strong>{clientName(client)}</strong>
                  <span class={`badge ${client.connected ? 'good' : 'quiet'}`}>
                    <span class="dot" aria-hidden="true" />
                    {client.connected ? 'connected' : `seen ${agoInWords(Date.parse(client.lastSeen), now)}`}
                  </span>
                  <span class="faint">
                    watches {client.watching}, has read {client.read.length}
                  </span>
                </a>
              </li>
            ))}
          </ul>
          <ClientPanel key={chosen.id} client={chosen} hub={hub} now={now} />
        </div>
      )}
    </>
  );
}

function NoClients(): JSX.Element {
  return (
    <section class="card">
      <h2>No client has connected yet</h2>
      <p>
        An MCP client finds all servers at this address. <a href={href('start')}>The first steps</a> set up your host.
      </p>
      <CopyableText text={`${location.origin}/mcp`} />
      <p class="faint">Agents that the hub notifies are listed under Sessions.</p>
    </section>
  );
}
