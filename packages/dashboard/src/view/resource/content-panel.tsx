// One resource: its current content, or the changes between its versions.
import { type Timer, systemClock } from '@tidings/live/time';
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { HubError } from '../../hub/hub-request.ts';
import { contentPath, readContent } from '../../hub/contents.ts';
import type { ListedResource } from '@tidings/client/contract';
import type { HubState } from '../../state/hub-state.ts';
import { useObserved } from '../../state/observable.ts';
import type { ShownVersions } from '../../state/versions.ts';
import { CopyButton } from '../element/copy-button.tsx';
import { byteCount } from '@tidings/client/contract';
import { HistoryView } from './history-view.tsx';
import { ProblemNote } from '../element/problem-note.tsx';
import { JsonTree, displayableJson } from '../element/json-tree.tsx';
import { Markdown } from '../element/markdown.tsx';
import { longestMarkdown } from '../element/markdown-tokens.ts';
import { href } from '../route.ts';
import { agoInWords, useNow } from '../element/use-now.ts';

const retryMs = 1500;

interface ContentPanelProps {
  hub: HubState;
  /** Undefined if it is not listed. */
  resource: ListedResource | undefined;
  server: string | undefined;
  uri: string | undefined;
  /** Shows the changes instead of the content. */
  isDiff: boolean;
  onDiff(this: void, isDiff: boolean): void;
}

export function ContentPanel({ hub, resource, server, uri, isDiff, onDiff }: ContentPanelProps): JSX.Element {
  if (server === undefined || uri === undefined) {
    return <Empty words="Choose a resource to see what it holds, as it changes." />;
  }
  // Unlisted resources that a template covers can be read, too.
  const shown = resource ?? (hub.catalog.isLoaded ? unlisted(server, uri) : undefined);
  if (shown === undefined) return <Empty words="Reading the list…" />;
  return <Opened key={shown.address} hub={hub} resource={shown} isDiff={isDiff} onDiff={onDiff} />;
}

function Empty({ words }: { words: string }): JSX.Element {
  return (
    <section class="pane content" aria-label="Content">
      <p class="empty">{words}</p>
    </section>
  );
}

function unlisted(serverId: string, uri: string): ListedResource {
  return { serverId, uri, address: `tidings://${serverId}/${encodeURIComponent(uri)}`, name: uri };
}

type OpenedProps = Pick<ContentPanelProps, 'hub' | 'isDiff' | 'onDiff'> & { resource: ListedResource };

function Opened({ hub, resource, isDiff, onDiff }: OpenedProps): JSX.Element {
  const { versions, problem, changes } = useContent(hub, resource);
  const now = useNow();
  const { serverId, uri, name, title, description, mimeType } = resource;
  const shownName = title ?? name;
  return (
    <section class="pane content" aria-label="Content">
      <a class="back" href={href('resources', { server: serverId })}>
        ← All resources
      </a>
      <h2 class={shownName === uri ? 'uri' : ''}>{shownName}</h2>
      {shownName !== uri && <p class="uri">{uri}</p>}
      <p class="faint">
        {[serverId, (versions?.current.type ?? mimeType)?.split(';')[0]].filter(Boolean).join(' · ')}
        {versions && ` · ${byteCount(versions.current.bytes)} · read ${agoInWords(versions.currentAt, now)}`}
      </p>
      {description && <p class="description">{description}</p>}
      <div class="actions">
        <CopyButton label="Copy URI" text={uri} />
        <CopyButton label="Copy curl" text={curlCommand(resource)} />
        <CopyButton label="Copy MCP" text={mcpSnippet(resource)} />
        <span class="grow" />
        <div class="segments" role="group" aria-label="What to show">
          <button type="button" aria-pressed={!isDiff} onClick={() => onDiff(false)}>
            Content
          </button>
          <button type="button" aria-pressed={isDiff} onClick={() => onDiff(true)}>
            What changed
          </button>
        </div>
      </div>
      <ProblemNote text={problem} />
      <div class="body" tabIndex={0} role="region" aria-label={isDiff ? 'What changed' : 'Content itself'}>
        {versions &&
          (isDiff ? (
            <HistoryView
              resource={resource}
              changes={changes}
              seen={{ before: versions.previous, after: versions.current }}
            />
          ) : (
            <Body versions={versions} resource={resource} />
          ))}
      </div>
    </section>
  );
}

function Body({ versions: { current }, resource }: { versions: ShownVersions; resource: ListedResource }): JSX.Element {
  const { type, text, bytes, etag } = current;
  if (type.startsWith('image/')) {
    // The version is part of the address, so that the image is reloaded when it changes.
    return <img class="picture" src={`${contentPath(resource)}&v=${encodeURIComponent(etag)}`} alt={resource.name} />;
  }
  if (text === undefined)
    return (
      <p class="empty">
        {byteCount(bytes)} of {type}.{' '}
        <a href={contentPath(resource)} download={resource.name}>
          Download
        </a>
      </p>
    );
  if (/^text\/(x-)?markdown/i.test(type) && text.length <= longestMarkdown) return <Markdown text={text} />;
  const json = /json/.test(type) ? displayableJson(text) : undefined;
  return json === undefined ? <pre class="text">{text}</pre> : <JsonTree value={json.value} />;
}

/** Reads the content when it is opened, when it changes, and when events may have been missed. */
function useContent(
  hub: HubState,
  resource: ListedResource,
): { versions: ShownVersions | undefined; problem: string; changes: number } {
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
  return { versions, problem, changes };
}

/** A single quote is the only character of an encoded URI that must be escaped in the shell. */
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
