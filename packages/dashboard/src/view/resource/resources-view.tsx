// The tree of all resources, and the content of the chosen one.
import type { JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { HubState } from '../../state/hub-state.ts';
import { useObserved } from '../../state/observable.ts';
import { ContentPanel } from './content-panel.tsx';
import { OpenUri } from './open-uri.tsx';
import { type TreeNode, type TreeRow, rowsOf, treeOf } from './resource-tree.ts';
import { keyTarget } from './tree-keys.ts';
import { titleOf } from '../resource-title.ts';
import { href, withQuery } from '../route.ts';
import { ago, useNow } from '../element/use-now.ts';
import { useTyped } from '../element/use-typed.ts';
import { VirtualList } from '../element/virtual-list.tsx';

const rowHeight = 34;
/** How long a change is marked. */
const freshMs = 4000;
/** Folders are expanded if a search finds at most this many resources. */
const openedSearch = 400;
/** Without a search, folders with at most this many resources are expanded. */
const smallFolder = 50;

export function ResourcesView({ hub, query }: { hub: HubState; query: URLSearchParams }): JSX.Element {
  const { catalog } = hub;
  useObserved(catalog);
  const now = useNow();
  const [toggled, setToggled] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [activeKey, setActiveKey] = useState<string>();
  const server = query.get('server') ?? undefined;
  const uri = query.get('uri') ?? undefined;
  // `replace`: typing and tabs add no entries to the history.
  const go = (changed: Record<string, string>) => location.replace(withQuery('resources', query, changed));
  const [text, setText] = useTyped(query.get('q') ?? '', (q) => go({ q }));

  const tree = useMemo(() => treeOf(catalog.resources, text), [catalog.version, text]);
  const total = tree.reduce((sum, { size }) => sum + size, 0);
  const isOpen = (node: TreeNode) =>
    toggled.get(node.key) ?? (text === '' ? node.prefix === '' || node.size <= smallFolder : total <= openedSearch);
  const rows = useMemo(() => rowsOf(tree, isOpen), [tree, toggled]);
  const active = rows.findIndex(({ node }) => node.key === activeKey);
  const chosen = server === undefined || uri === undefined ? undefined : catalog.find(server, uri);

  const choose = (node: TreeNode) => {
    setActiveKey(node.key);
    const { serverId, resource } = node;
    if (resource)
      location.hash = href('resources', { server: serverId, uri: resource.uri, ...(text !== '' && { q: text }) });
    else setToggled(new Map(toggled).set(node.key, !isOpen(node)));
  };
  useEffect(() => {
    if (chosen) setActiveKey((key) => key ?? `${chosen.serverId} ${chosen.uri} leaf`);
  }, [chosen]);

  const onKeyDown = (event: KeyboardEvent) => {
    const target = keyTarget(event.key, rows, Math.max(0, active));
    if (target === undefined) return;
    event.preventDefault();
    if (target === 'choose') {
      const row = rows[Math.max(0, active)];
      if (row) choose(row.node);
    } else setActiveKey(rows[target]?.node.key);
  };

  return (
    <>
      <div class="heading">
        <h1>Resources</h1>
        <p>{text === '' ? `${total} listed` : `${total} found`}</p>
        <span class="grow" />
        <OpenUri hub={hub} />
      </div>
      <div class={`split ${uri === undefined ? '' : 'has-choice'}`}>
        <section class="pane" aria-label="All resources">
          <input
            type="search"
            class="search"
            placeholder="Search by server, URI or name"
            aria-label="Search resources"
            value={text}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
          {rows.length === 0 ? (
            <EmptyTree isLoaded={catalog.isLoaded} text={text} />
          ) : (
            <VirtualList
              class="tree"
              role="tree"
              aria-label="Resources by server"
              aria-activedescendant={active < 0 ? undefined : `row-${active}`}
              tabIndex={0}
              count={rows.length}
              rowHeight={rowHeight}
              active={active}
              onKeyDown={onKeyDown}
              onFocus={() => setActiveKey((key) => key ?? rows[0]?.node.key)}
              row={(index) => {
                const row = rows[index];
                return row && <Row key={row.node.key} {...{ row, index, active, hub, now, choose, uri }} />;
              }}
            />
          )}
        </section>
        <ContentPanel
          hub={hub}
          resource={chosen}
          server={server}
          uri={uri}
          isDiff={query.get('tab') === 'changes'}
          onDiff={(isDiff) => go({ tab: isDiff ? 'changes' : '' })}
        />
      </div>
    </>
  );
}

interface RowProps {
  row: TreeRow;
  index: number;
  active: number;
  hub: HubState;
  now: number;
  uri: string | undefined;
  choose(this: void, node: TreeNode): void;
}

function Row({ row, index, active, hub, now, uri, choose }: RowProps): JSX.Element {
  const { node, level, isOpen, position, siblings } = row;
  const change = hub.catalog.changeOf(node.serverId, node.prefix);
  const isFresh = change !== undefined && now - change.at < freshMs;
  const classes = ['row', index === active && 'active', isFresh && !isOpen && 'fresh', level === 1 && 'server'];
  return (
    <div
      id={`row-${index}`}
      role="treeitem"
      class={classes.filter(Boolean).join(' ')}
      aria-level={level}
      aria-setsize={siblings}
      aria-posinset={position}
      aria-expanded={node.resource ? undefined : isOpen}
      aria-selected={node.resource !== undefined && node.resource.uri === uri}
      style={{ height: `${rowHeight}px`, paddingInlineStart: `${level * 16 - 6}px` }}
      title={node.prefix}
      onClick={() => choose(node)}
    >
      <span class="twist" aria-hidden="true">
        {node.resource ? '' : isOpen ? '▾' : '▸'}
      </span>
      <Label node={node} />
      {change !== undefined && (
        <span class="mark">
          <span class="dot" aria-hidden="true" />
          {ago(change.at, now)}
        </span>
      )}
      {node.resource === undefined && <span class="size">{node.size}</span>}
    </div>
  );
}

/** A resource by its title first, then its URI. */
function Label({ node: { label, resource } }: { node: TreeNode }): JSX.Element {
  const title = resource && titleOf(resource);
  return title === undefined ? (
    <span class="label">{label}</span>
  ) : (
    <span class="label titled">
      <span class="title">{title}</span> <span class="faint">{label}</span>
    </span>
  );
}

function EmptyTree({ isLoaded, text }: { isLoaded: boolean; text: string }): JSX.Element {
  if (!isLoaded) return <p class="empty">Reading the list…</p>;
  if (text !== '') return <p class="empty">{`Nothing matches “${text}”.`}</p>;
  return (
    <p class="empty">
      No server lists a resource yet. See how <a href={href('servers')}>the servers</a> are, or take{' '}
      <a href={href('start')}>the first steps</a>.
    </p>
  );
}
