// Resources as a tree: servers, then the parts of their URIs. A part with a single child is joined with it, so that
// fewer folders have to be opened.
import { schemeLength } from '../../state/listed-resources.ts';
import type { ListedResource } from '@tidings/client/contract';

export interface TreeNode {
  key: string;
  serverId: string;
  /** The beginning of the URIs below; the whole URI of a resource. */
  prefix: string;
  label: string;
  resource: ListedResource | undefined;
  children: TreeNode[];
  /** The number of resources in it. */
  size: number;
}

export interface TreeRow {
  node: TreeNode;
  level: number;
  isOpen: boolean;
  position: number;
  siblings: number;
}

export function treeOf(resources: readonly ListedResource[], query: string): TreeNode[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const servers = new Map<string, TreeNode>();
  const folders = new Map<string, TreeNode>();
  for (const resource of resources) {
    const { serverId, uri, name, title = '' } = resource;
    const text = `${serverId} ${uri} ${name} ${title}`.toLowerCase();
    if (!words.every((word) => text.includes(word))) continue;
    let parent = servers.get(serverId);
    if (parent === undefined) servers.set(serverId, (parent = folder(serverId, '', serverId)));
    parent.size += 1;
    for (let at = uri.indexOf('/', schemeLength(uri)); at >= 0 && at + 1 < uri.length; at = uri.indexOf('/', at + 1)) {
      const prefix = uri.slice(0, at + 1);
      const key = keyOf(serverId, prefix);
      let next = folders.get(key);
      if (next === undefined) {
        next = folder(serverId, prefix, prefix.slice(parent.prefix.length));
        folders.set(key, next);
        parent.children.push(next);
      }
      next.size += 1;
      parent = next;
    }
    const label = uri.slice(parent.prefix.length);
    parent.children.push({ ...folder(serverId, uri, label), key: `${keyOf(serverId, uri)} leaf`, resource, size: 1 });
  }
  for (const server of servers.values()) server.children = server.children.map(joined);
  return [...servers.values()];
}

/** The visible rows, from top to bottom. */
export function rowsOf(nodes: readonly TreeNode[], isOpen: (node: TreeNode) => boolean, level = 1): TreeRow[] {
  return nodes.flatMap((node, index) => {
    const open = node.resource === undefined && isOpen(node);
    const row = { node, level, isOpen: open, position: index + 1, siblings: nodes.length };
    return open ? [row, ...rowsOf(node.children, isOpen, level + 1)] : [row];
  });
}

function joined(node: TreeNode): TreeNode {
  const [only] = node.children;
  if (only !== undefined && node.children.length === 1) return joined({ ...only, label: node.label + only.label });
  return node.children.length === 0 ? node : { ...node, children: node.children.map(joined) };
}

function folder(serverId: string, prefix: string, label: string): TreeNode {
  return { key: keyOf(serverId, prefix), serverId, prefix, label, resource: undefined, children: [], size: 0 };
}

function keyOf(serverId: string, prefix: string): string {
  return `${serverId} ${prefix}`;
}
