// Every server: its state, the reason, and what is followed.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { setTracked } from '../hub/api.ts';
import type { ServerStatus } from '@tidings/client/contract';
import type { HubState } from '../state/hub-state.ts';
import { useObserved } from '../state/observable.ts';
import { HeldDefinitions } from './held-definitions.tsx';
import { Problem } from './problem.tsx';
import { href } from './route.ts';
import { ago, useNow } from './use-now.ts';

const stateWords: Readonly<Record<ServerStatus['state'], string>> = {
  live: 'Live',
  connecting: 'Connecting',
  backoff: 'Away',
  unsupported: 'No resources',
  disabled: 'Disabled',
  stopped: 'Stopped',
};
const tones: Readonly<Record<ServerStatus['state'], string>> = {
  live: 'good',
  connecting: 'wait',
  backoff: 'bad',
  unsupported: 'quiet',
  disabled: 'quiet',
  stopped: 'quiet',
};

export function ServersView({ hub }: { hub: HubState }): JSX.Element {
  useObserved(hub, hub.timeline);
  const now = useNow();
  const live = hub.servers.filter(({ state }) => state === 'live').length;
  return (
    <>
      <div class="heading">
        <h1>Servers</h1>
        <p>
          {live} of {hub.servers.length} live
        </p>
      </div>
      {hub.servers.length === 0 && hub.wasOpen && (
        <p class="empty pane">
          No server is configured. <a href={href('start')}>The first steps</a> show how to add one.
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

function ServerCard({ server, hub, now }: { server: ServerStatus; hub: HubState; now: number }): JSX.Element {
  const { id, state, detail, description, era, transport, pid, since, retryAt } = server;
  const facts: [string, string][] = [
    ['Protocol', era === undefined ? 'not known yet' : era === 'modern' ? '2026-07-28' : '2025'],
    ['Transport', pid === undefined ? transportWords(transport) : `${transportWords(transport)}, process ${pid}`],
    [
      'Subscribed',
      `${server.subscribed} of ${server.resources}${server.polled > 0 ? `, ${server.polled} polled` : ''}`,
    ],
    ...(server.pinned ? [['Definitions', 'pinned: changes wait for you'] as [string, string]] : []),
    ['Updates', `${hub.timeline.perMinute(id, now)} in the last minute`],
  ];
  return (
    <li class="card server">
      <div class="card-top">
        <h2>
          <a href={href('resources', { server: id })}>{id}</a>
        </h2>
        <span class={`badge ${tones[state]}`}>
          <span class="dot" aria-hidden="true" />
          {stateWords[state]}
        </span>
        <span class="faint">for {ago(Date.parse(since), now)}</span>
      </div>
      {description && <p class="description">{description}</p>}
      {detail !== '' && <p class={`reason ${tones[state]}`}>{detail}</p>}
      {retryAt !== undefined && state === 'backoff' && (
        <p class="faint">
          Next try {Date.parse(retryAt) > now ? `in ${Math.ceil((Date.parse(retryAt) - now) / 1000)} s` : 'now'}
        </p>
      )}
      <dl class="facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <TrackSwitch server={server} hub={hub} />
      {server.held > 0 && <HeldDefinitions server={server} hub={hub} />}
    </li>
  );
}

function TrackSwitch({ server, hub }: { server: ServerStatus; hub: HubState }): JSX.Element {
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  const toggle = async () => {
    setBusy(true);
    try {
      hub.replaceServer(await setTracked(server.id, !server.tracked));
      setProblem('');
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
    setBusy(false);
  };
  return (
    <div class="track">
      <button
        type="button"
        role="switch"
        class="switch"
        aria-checked={server.tracked}
        aria-label={`Track ${server.id}`}
        disabled={isBusy}
        onClick={() => void toggle()}
      >
        <span aria-hidden="true" />
      </button>
      <span>{server.tracked ? 'Tracked: changes are journaled' : 'Not tracked'}</span>
      <Problem text={problem} />
    </div>
  );
}

function transportWords(transport: string): string {
  return transport === 'memory' ? 'built in' : transport;
}
