// One server on a card: its state with the reason, its followed resources, and the switch for tracking.
import { protocolOf } from '@tidings/live/portable';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { setTracked } from '../../hub/api.ts';
import type { ServerStatus } from '@tidings/client/contract';
import type { HubState } from '../../state/hub-state.ts';
import { type Fact, Facts } from '../element/facts.tsx';
import { useProblem } from '../element/use-problem.ts';
import { HeldDefinitions } from './held-definitions.tsx';
import { ProblemNote } from '../element/problem-note.tsx';
import { href } from '../route.ts';
import { durationInWords } from '../element/use-now.ts';

const stateWords: Readonly<Record<ServerStatus['state'], string>> = {
  live: 'Live',
  connecting: 'Connecting',
  backoff: 'Away',
  needs_login: 'Needs a login',
  unsupported: 'No resources',
  disabled: 'Disabled',
  stopped: 'Stopped',
};
const conditions: Readonly<Record<NonNullable<ServerStatus['condition']>, { words: string; tone: string }>> = {
  waiting: { words: 'Waiting', tone: 'quiet' },
  troubled: { words: 'Needs attention', tone: 'wait' },
};
const tones: Readonly<Record<ServerStatus['state'], string>> = {
  live: 'good',
  connecting: 'wait',
  backoff: 'bad',
  needs_login: 'bad',
  unsupported: 'quiet',
  disabled: 'quiet',
  stopped: 'quiet',
};

interface ServerCardProps {
  server: ServerStatus;
  hub: HubState;
  now: number;
  /** Shows all details, on the page of this server. */
  isDetailed?: boolean;
}

export function ServerCard({ server, hub, now, isDetailed = false }: ServerCardProps): JSX.Element {
  const { id, state, detail, description, era, transport, pid, since, retryAt, info, address } = server;
  const { words, tone } = server.condition
    ? conditions[server.condition]
    : { words: stateWords[state], tone: tones[state] };
  // Without the time of the next attempt, which the countdown below shows.
  const reason = retryAt === undefined ? detail : detail.replace(/ Trying again in [\d.]+ s\.$/, '');
  const facts: Fact[] = [
    ...(isDetailed && info ? [['Server', `${info.title ?? info.name} ${info.version}`] as const] : []),
    ...(isDetailed && address !== undefined
      ? [[transport === 'stdio' ? 'Command' : 'Address', <code>{address}</code>] as const]
      : []),
    ['Protocol', era === undefined ? 'not known yet' : protocolOf(era)],
    ['Transport', pid === undefined ? transportWords(transport) : `${transportWords(transport)}, process ${pid}`],
    [
      'Subscribed',
      server.resources === 0 && server.subscribed === 0
        ? 'no resources listed'
        : `${server.subscribed} of ${server.resources}${server.polled > 0 ? `, ${server.polled} polled` : ''}`,
    ],
    ...(server.pinned ? [['Definitions', 'pinned: changes wait for you'] as const] : []),
    ['Updates', `${hub.timeline.perMinute(id, now)} in the last minute`],
  ];
  return (
    <li class="card server">
      <div class="card-top">
        {!isDetailed && (
          <h2>
            <a href={href('servers', { id })}>{id}</a>
          </h2>
        )}
        <span class={`badge ${tone}`}>
          <span class="dot" aria-hidden="true" />
          {words}
        </span>
        <span class="faint">{durationInWords(Date.parse(since), now)}</span>
      </div>
      {description && <p class="description">{description}</p>}
      {reason !== '' && <p class={`reason ${tone === 'good' ? '' : tone}`}>{reason}</p>}
      {retryAt !== undefined && state === 'backoff' && (
        <p class="faint">
          Next try {Date.parse(retryAt) > now ? `in ${Math.ceil((Date.parse(retryAt) - now) / 1000)} s` : 'now'}
        </p>
      )}
      <Facts facts={facts} />
      <TrackSwitch server={server} hub={hub} />
      {server.held > 0 && <HeldDefinitions server={server} hub={hub} />}
    </li>
  );
}

function TrackSwitch({ server, hub }: { server: ServerStatus; hub: HubState }): JSX.Element {
  const { problem, attempt } = useProblem();
  const [isBusy, setBusy] = useState(false);
  const toggle = async () => {
    setBusy(true);
    await attempt(async () => hub.replaceServer(await setTracked(server.id, !server.tracked)));
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
      <ProblemNote text={problem} />
    </div>
  );
}

function transportWords(transport: string): string {
  return transport === 'memory' ? 'built in' : transport;
}
