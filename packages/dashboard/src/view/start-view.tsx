// The first steps, each one click or one copy.
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { loadSamples, readSamples } from '../hub/api.ts';
import type { SampleCounts } from '@tidings/client/contract';
import type { HubState } from '../state/hub-state.ts';
import { useObserved } from '../state/observable.ts';
import { CopyButton } from './copy-button.tsx';
import { Problem } from './problem.tsx';
import { href } from './route.ts';

const hosts = ['claude-code', 'claude-desktop', 'cursor', 'vscode'] as const;
/** A configuration names all servers there are, so that the built-in ones stay only if it names them too. */
const exampleConfig = `{ "servers": [
  { "id": "vcon", "builtin": "vcon", "trackResources": true },
  { "id": "schedules", "builtin": "schedules", "trackResources": true },
  { "id": "obs", "builtin": "obs", "trackResources": true },
  { "id": "notes", "command": "npx", "trackResources": true,
    "args": ["-y", "@modelcontextprotocol/server-memory"] }
] }`;
const configCommand = 'tidings up --config config/mcp-servers.json';
const obsCommand = 'TIDINGS_OBS_PASSWORD=your-password tidings up';

export function StartView({ hub }: { hub: HubState }): JSX.Element {
  useObserved(hub, hub.catalog, hub.timeline);
  // Its server is live without OBS too, and then lists nothing but its status.
  const hasObs = (hub.servers.find(({ id }) => id === 'obs')?.resources ?? 0) > 1;
  const { origin } = location;
  return (
    <>
      <div class="heading">
        <h1>Welcome to Tidings</h1>
        <p>
          {hub.servers.length} servers, {hub.catalog.resources.length} resources, {hub.timeline.count} events so far
        </p>
      </div>
      <ol class="cards steps">
        <Step title="See something move">
          <SampleData hub={hub} />
          <p>
            Then look at <a href={href('resources')}>the resources</a> or <a href={href('timeline')}>the timeline</a>.
          </p>
        </Step>
        <Step title="Tell your host">
          <p>All servers behind one address:</p>
          <Snippet text={`${origin}/mcp`} />
          <HostSettings />
        </Step>
        <Step title="Connect OBS" isDone={hasObs}>
          <p>
            {hasObs
              ? 'OBS is connected.'
              : 'In OBS: Tools, WebSocket Server Settings, Enable. Then start the hub with its password:'}
          </p>
          {!hasObs && <Snippet text={obsCommand} />}
        </Step>
        <Step title="Add a server of your own">
          <p>
            Any MCP server, beside those built in, in <code>config/mcp-servers.json</code>:
          </p>
          <Snippet text={exampleConfig} />
          <p>Start the hub with it. From then on, an edit takes effect when the file is saved.</p>
          <Snippet text={configCommand} />
        </Step>
        <Step title="Follow along elsewhere">
          <p>The event stream, for scripts:</p>
          <Snippet text={`curl -N ${origin}/api/mcp/resource-events`} />
          <p>
            What an agent would be told is in <a href={href('sessions')}>the built-in transcript</a>.
          </p>
        </Step>
      </ol>
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
      <Snippet text={`tidings init ${host} --hub ${location.origin} --write`} />
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

function Snippet({ text }: { text: string }): JSX.Element {
  return (
    <div class="snippet">
      <pre tabIndex={0}>{text}</pre>
      <CopyButton label="Copy" text={text} />
    </div>
  );
}

function SampleData({ hub }: { hub: HubState }): JSX.Element {
  const [offers, setOffers] = useState<SampleCounts>();
  const [loaded, setLoaded] = useState<SampleCounts>();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  useEffect(() => {
    readSamples().then(setOffers, () => undefined);
  }, [hub.epoch]);
  const load = async () => {
    setBusy(true);
    setProblem('');
    try {
      setLoaded(await loadSamples());
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
    setBusy(false);
  };
  if (offers?.conversations === 0) return <p>This hub has no sample data: change a resource of a server of yours.</p>;
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
      <button type="button" class="button strong" disabled={isBusy} onClick={() => void load()}>
        {isBusy ? 'Loading…' : loaded ? `Loaded ${wordsFor(loaded)}` : 'Load sample data'}
      </button>
      <Problem text={problem} />
    </>
  );
}

function wordsFor({ conversations, schedules }: SampleCounts): string {
  return `${conversations} conversations${schedules > 0 ? ` and ${schedules} schedules` : ''}`;
}
