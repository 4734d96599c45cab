// The first steps, each one click or one copy.
import { counted } from '@tidings/live/portable';
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { loadSamples, readSamples } from '../hub/api.ts';
import type { SampleCounts } from '@tidings/client/contract';
import type { HubState } from '../state/hub-state.ts';
import { useObserved } from '../state/observable.ts';
import { ProblemNote } from './element/problem-note.tsx';
import { useProblem } from './element/use-problem.ts';
import { titleOf } from './resource-title.ts';
import { href } from './route.ts';
import { CopyableText } from './element/copyable-text.tsx';
import { ago, useNow } from './element/use-now.ts';

const hosts = ['claude-code', 'claude-desktop', 'cursor', 'vscode'] as const;
const exampleEntry = `"notes": {
  "command": "npx",
  "args": [
    "-y",
    "@modelcontextprotocol/server-memory"
  ]
}`;
/** With the built-in servers: a configuration replaces them, so they stay only if it names them too. */
const exampleConfig = `{
  "mcpServers": {
    "vcon": { "builtin": "vcon" },
    "schedules": { "builtin": "schedules" },
    "obs": { "builtin": "obs" },
    ${exampleEntry.replaceAll('\n', '\n    ')}
  }
}`;
const configCommand = 'tidings up --config config/mcp-servers.json';
const obsCommand = 'TIDINGS_OBS_PASSWORD=your-password tidings up';

export function StartView({ hub }: { hub: HubState }): JSX.Element {
  useObserved(hub, hub.catalog, hub.timeline);
  // Without OBS its server is live too, but lists only its status.
  const obs = hub.servers.find(({ id }) => id === 'obs');
  const hasObs = (obs?.resources ?? 0) > 1;
  const { origin } = location;
  return (
    <>
      <div class="heading">
        <h1>Welcome to Tidings</h1>
        <p>
          {counted(hub.servers.length, 'server')}, {counted(hub.catalog.resources.length, 'resource')},{' '}
          {counted(hub.timeline.count, 'event')} so far
        </p>
      </div>
      <NewestUpdates hub={hub} />
      <ol class="cards steps">
        <Step title="See something move">
          <SampleData hub={hub} />
          <p>
            Look at <a href={href('resources')}>the resources</a> or <a href={href('timeline')}>the timeline</a>.
          </p>
        </Step>
        <Step title="Tell your host">
          <p>All servers behind one address:</p>
          <CopyableText text={`${origin}/mcp`} />
          <HostSettings />
        </Step>
        {obs && (
          <Step title="Connect OBS" isDone={hasObs}>
            <p>
              {hasObs
                ? 'OBS is connected.'
                : 'In OBS: Tools, WebSocket Server Settings, Enable. Then start the hub with its password:'}
            </p>
            {!hasObs && <CopyableText text={obsCommand} />}
          </Step>
        )}
        <Step title="Add a server of your own">
          <OwnServer configFile={hub.configFile} />
        </Step>
        <Step title="Follow along elsewhere">
          <p>The event stream, for scripts:</p>
          <CopyableText text={`curl -N ${origin}/api/mcp/resource-events`} />
          <p>
            What an agent would be told is in <a href={href('sessions')}>the built-in transcript</a>.
          </p>
        </Step>
      </ol>
    </>
  );
}

const mostUpdates = 5;

/** The newest updates, live: at the top of the page as soon as there are any. */
function NewestUpdates({ hub }: { hub: HubState }): JSX.Element | null {
  const now = useNow();
  const updates = hub.timeline.entries.flatMap(({ number, event }) =>
    event.type === 'resource_update' ? [{ number, event }] : [],
  );
  if (updates.length === 0) return null;
  const newest = updates.slice(-mostUpdates).toReversed();
  return (
    <section class="pane moving" aria-label="What is changing">
      <h2>What is changing</h2>
      <ul class="plain">
        {newest.map(({ number, event: { serverId, resourceUri, timestamp } }) => (
          <li key={number}>
            <span class="dot" aria-hidden="true" />
            <Changed hub={hub} serverId={serverId} uri={resourceUri} />
            <span class="when faint">{ago(Date.parse(timestamp), now)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Shows the title, or else the URI. */
function Changed({ hub, serverId, uri }: { hub: HubState; serverId: string; uri: string }): JSX.Element {
  const listed = hub.catalog.find(serverId, uri);
  const title = listed && titleOf(listed);
  return (
    <>
      <a href={href('resources', { server: serverId, uri, tab: 'changes' })}>{title ?? uri}</a>
      {title !== undefined && <span class="uri faint wide-only">{uri}</span>}
    </>
  );
}

function OwnServer({ configFile }: Pick<HubState, 'configFile'>): JSX.Element {
  if (typeof configFile === 'string') {
    return (
      <>
        <p>
          Any MCP server, under <code>"mcpServers"</code> in <code>{configFile}</code>. An edit takes effect when the
          file is saved.
        </p>
        <CopyableText text={exampleEntry} />
        <p>
          One that is reached by an address can be added under <a href={href('servers')}>Servers</a>, too.
        </p>
      </>
    );
  }
  return (
    <>
      <p>
        Any MCP server, beside those built in, in <code>config/mcp-servers.json</code>:
      </p>
      <CopyableText text={exampleConfig} />
      <p>Start the hub with it. From then on, an edit takes effect when the file is saved.</p>
      <CopyableText text={configCommand} />
    </>
  );
}

function HostSettings(): JSX.Element {
  const [host, setHost] = useState<string>(hosts[0]);
  return (
    <>
      <div class="segments" role="group" aria-label="Host">
        {hosts.map((name) => (
          <button key={name} type="button" aria-pressed={name === host} onClick={() => setHost(name)}>
            {name}
          </button>
        ))}
      </div>
      <p>Tidings writes its settings for you, and keeps a copy of what was there:</p>
      <CopyableText text={`tidings init ${host} --hub ${location.origin} --write`} />
      <p class="faint">
        In a checkout, write <code>npx tidings</code>.
      </p>
    </>
  );
}

function Step({ title, isDone = false, children }: StepProps): JSX.Element {
  return (
    <li class="card step">
      <h2>
        {title}
        {isDone && <span class="badge good">Done</span>}
      </h2>
      {children}
    </li>
  );
}

interface StepProps {
  title: string;
  isDone?: boolean;
  children: ComponentChildren;
}

function SampleData({ hub }: { hub: HubState }): JSX.Element {
  const [offers, setOffers] = useState<SampleCounts>();
  const [loaded, setLoaded] = useState<SampleCounts>();
  const [isChanging, setChanging] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const { problem, attempt } = useProblem();
  useEffect(() => {
    readSamples().then(
      (samples) => {
        setOffers(samples.offers);
        setChanging(samples.changing);
        if (samples.loaded) setLoaded(samples.offers);
      },
      () => undefined,
    );
  }, [hub.epoch]);
  const load = async () => {
    setBusy(true);
    await attempt(async () => setLoaded(await loadSamples()));
    setBusy(false);
  };
  if (offers?.conversations === 0) return <p>This hub has no sample data: change a resource of a server of yours.</p>;
  if (offers && isChanging) return <p>The demo is running: {wordsFor(offers)} that keep changing, as above.</p>;
  return (
    <>
      <p>
        {offers === undefined ? 'Sample data' : wordsFor(offers)}, so that there is something to look at.
        {offers?.schedules === 0 && (
          <>
            {' '}
            Sample schedules come only with <code>tidings up --demo</code>, where nothing is really sent.
          </>
        )}
      </p>
      {loaded ? (
        <p class="faint">Loaded {wordsFor(loaded)}.</p>
      ) : (
        <button type="button" class="button strong" disabled={isBusy} onClick={() => void load()}>
          {isBusy ? 'Loading…' : 'Load sample data'}
        </button>
      )}
      <ProblemNote text={problem} />
    </>
  );
}

function wordsFor({ conversations, schedules }: SampleCounts): string {
  return `${conversations} conversations${schedules > 0 ? ` and ${schedules} schedules` : ''}`;
}
