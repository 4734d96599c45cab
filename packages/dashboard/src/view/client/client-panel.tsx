// One MCP client: its name and version, the resources it watches, and those it has read.
import type { ClientStatus } from '@tidings/client/contract';
import { counted, protocolOf } from '@tidings/live/portable';
import type { JSX } from 'preact';
import type { HubState } from '../../state/hub-state.ts';
import { clientName } from './client-name.ts';
import { resourceAt } from './gateway-address.ts';
import { type Fact, Facts } from '../element/facts.tsx';
import { href } from '../route.ts';
import { agoInWords } from '../element/use-now.ts';

export function ClientPanel({ client, hub, now }: { client: ClientStatus; hub: HubState; now: number }): JSX.Element {
  const { connected, era, who, address, endpoints, since, lastSeen, streams, requests, failures, told } = client;
  const facts: Fact[] = [
    ['Protocol', protocolOf(era)],
    ['Uses', endpoints.join(', ')],
    ['Token', who === 'everybody' ? 'none: all local programs are admitted' : who],
    ...(address === undefined ? [] : [['Address', address] as const]),
    ['Since', new Date(since).toLocaleString()],
    ['Requests', failures === 0 ? requests : `${requests}, ${failures} failed`],
    [
      'Last request',
      `${client.lastRequest === undefined ? '' : `${client.lastRequest}, `}${agoInWords(Date.parse(lastSeen), now)}`,
    ],
    [
      'Told',
      connected ? `${counted(told, 'notification')} on ${counted(streams, 'open stream')}` : 'has no open stream',
    ],
  ];
  return (
    <section class="pane client" aria-label="Client" tabIndex={0}>
      <h2>{clientName(client)}</h2>
      <Facts facts={facts} />
      <h3>Watches {client.watching > client.watches.length && `(${client.watching}, the first of them)`}</h3>
      {client.watches.length === 0 ? (
        <p class="faint">Nothing: it is not told when a resource changes.</p>
      ) : (
        <ul class="uris">
          {client.watches.map((uri) => (
            <li key={uri}>
              <ResourceLink uri={uri} hub={hub} />
              <LastChange uri={uri} hub={hub} now={now} />
            </li>
          ))}
        </ul>
      )}
      <h3>Has read</h3>
      {client.read.length === 0 ? (
        <p class="faint">No resource.</p>
      ) : (
        <ul class="uris">
          {client.read.map(({ serverId, uri, changes, mentioned }) => (
            <li key={uri}>
              <a href={href('resources', { server: serverId, uri: plainUri(uri) })}>{uri}</a>
              <span class={changes === 0 ? 'faint' : 'badge wait'}>{changeWords(changes, mentioned)}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function changeWords(changes: number, mentioned: number): string {
  if (changes === 0) return 'up to date';
  const times = changes === 1 ? 'changed since' : `changed ${changes} times since`;
  return mentioned === 0 ? times : `${times}, told in a result`;
}

/** A link if a server lists the URI; otherwise plain text. */
function ResourceLink({ uri, hub }: { uri: string; hub: HubState }): JSX.Element {
  const serverId = serverOf(uri, hub);
  return serverId === undefined ? (
    <span>{uri}</span>
  ) : (
    <a href={href('resources', { server: serverId, uri: plainUri(uri) })}>{uri}</a>
  );
}

function LastChange({ uri, hub, now }: { uri: string; hub: HubState; now: number }): JSX.Element | null {
  const serverId = serverOf(uri, hub);
  const change = serverId === undefined ? undefined : hub.catalog.changeOf(serverId, plainUri(uri));
  return change === undefined ? null : <span class="faint">changed {agoInWords(change.at, now)}</span>;
}

function serverOf(uri: string, { catalog }: HubState): string | undefined {
  return resourceAt(uri)?.serverId ?? catalog.resources.find((resource) => resource.uri === uri)?.serverId;
}

function plainUri(uri: string): string {
  return resourceAt(uri)?.uri ?? uri;
}
