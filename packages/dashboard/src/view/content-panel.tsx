// One resource: its content as it is now, and what changed since it was last looked at.
import { type Timer, systemClock } from '@tidings/live/time';
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { HubError, contentPath, readContent } from '../hub/api.ts';
import type { ListedResource } from '@tidings/client/contract';
import type { HubState } from '../state/hub-state.ts';
import { useObserved } from '../state/observable.ts';
import type { Versions } from '../state/versions.ts';
import { CopyButton } from './copy-button.tsx';
import { DiffView } from './diff-view.tsx';
import { Problem } from './problem.tsx';
import { JsonTree, parsedJson } from './json-tree.tsx';
import { href } from './route.ts';
import { ago, useNow } from './use-now.ts';

const retryMs = 1500;

interface ContentPanelProps {
  hub: HubState;
  resource: ListedResource | undefined;
  uri: string | undefined;
  isWanted: boolean;
}

export function ContentPanel({ hub, resource, uri, isWanted }: ContentPanelProps): JSX.Element {
  if (resource === undefined) {
    return (
      <section class="pane content" aria-label="Content">
        <p class="empty">
          {!isWanted
            ? 'Choose a resource to see what it holds, as it changes.'
            : hub.catalog.isLoaded
              ? `${uri ?? 'It'} is not listed, or not any more. If it comes back, it shows here.`
              : 'Reading the list…'}
        </p>
      </section>
    );
  }
  return <Opened key={resource.address} hub={hub} resource={resource} />;
}

function Opened({ hub, resource }: { hub: HubState; resource: ListedResource }): JSX.Element {
  const { versions, problem } = useContent(hub, resource);
  const [isDiff, setDiff] = useState(false);
  const now = useNow();
  const { serverId, uri, name, title, description, mimeType } = resource;
  return (
    <section class="pane content" aria-label="Content">
      <a class="back" href={href('resources', { server: serverId })}>
        ← All resources
      </a>
      <h2 class="uri">{uri}</h2>
      <p class="faint">
        {[title ?? name, serverId, (versions?.current.type ?? mimeType)?.split(';')[0]].filter(Boolean).join(' · ')}
        {versions &&
          ` · ${versions.current.bytes} bytes · read ${ago(versions.currentAt, now)} ago`.replace(
            'now ago',
            'just now',
          )}
      </p>
      {description && <p class="description">{description}</p>}
      <div class="actions">
        <CopyButton label="Copy URI" text={uri} />
        <CopyButton label="Copy curl" text={curlCommand(resource)} />
        <CopyButton label="Copy MCP" text={mcpSnippet(resource)} />
        <span class="grow" />
        <div class="segments" role="group" aria-label="What to show">
          <button type="button" aria-pressed={!isDiff} onClick={() => setDiff(false)}>
            Content
          </button>
          <button type="button" aria-pressed={isDiff} onClick={() => setDiff(true)}>
            What changed
          </button>
        </div>
      </div>
      <Problem text={problem} />
      <div class="body" tabIndex={0} role="region" aria-label={isDiff ? 'What changed' : 'Content itself'}>
        {versions &&
          (isDiff ? (
            <DiffView versions={versions} earlier={changedBefore(hub, resource, versions)} />
          ) : (
            <Body versions={versions} resource={resource} />
          ))}
      </div>
    </section>
  );
}

function Body({ versions: { current }, resource }: { versions: Versions; resource: ListedResource }): JSX.Element {
  const { type, text, bytes, etag } = current;
  if (type.startsWith('image/')) {
    // The version is in the address, so that the picture changes with it.
    return <img class="picture" src={`${contentPath(resource)}&v=${encodeURIComponent(etag)}`} alt={resource.name} />;
  }
  if (text === undefined)
    return (
      <p class="empty">
        {bytes} bytes of {type}.
      </p>
    );
  const json = /json/.test(type) ? parsedJson(text) : undefined;
  return json === undefined ? <pre class="text">{text}</pre> : <JsonTree value={json.value} />;
}

/** Reads it when it is opened, when it changes, and when something may have been missed. */
function useContent(hub: HubState, resource: ListedResource): { versions: Versions | undefined; problem: string } {
  useObserved(hub, hub.catalog);
  const { serverId, uri, address } = resource;
  const [versions, setVersions] = useState(() => hub.versions.get(address));
  const [problem, setProblem] = useState('');
  const [attempt, setAttempt] = useState(0);
  const changes = hub.catalog.changeOf(serverId, uri)?.count ?? 0;
  useEffect(() => {
    const abort = new AbortController();
    let retry: Timer | undefined;
    readContent(resource, abort.signal).then(
      (content) => {
        setVersions(hub.versions.add(address, content, systemClock.date()));
        setProblem('');
      },
      (error: unknown) => {
        if (abort.signal.aborted) return;
        // An error response of the hub is final; a failed request is repeated.
        if (error instanceof HubError) setProblem(error.message);
        else retry = systemClock.after(retryMs, () => setAttempt(attempt + 1));
      },
    );
    return () => {
      abort.abort();
      retry?.cancel();
    };
  }, [changes, hub.epoch, attempt]);
  return { versions, problem };
}

/** When it last changed before this page first read it. */
function changedBefore(hub: HubState, { serverId, uri }: ListedResource, { currentAt }: Versions): number | undefined {
  const at = hub.catalog.changeOf(serverId, uri)?.at;
  return at !== undefined && at < currentAt ? at : undefined;
}

/** A quote is the one character that an escaped URI may hold and a quoted word may not. */
function curlCommand(resource: ListedResource): string {
  return `curl '${location.origin}${contentPath(resource).replaceAll("'", '%27')}'`;
}

function mcpSnippet({ uri, address, serverId }: ListedResource): string {
  const call = (method: string) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { uri } });
  return [
    `// ${location.origin}/mcp/${serverId} (or /mcp, as ${address})`,
    call('resources/read'),
    call('resources/subscribe'),
  ].join('\n');
}
