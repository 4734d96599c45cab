import type { ListedResource } from '@tidings/client/contract';
import { describe, expect, it } from 'vitest';
import { type TreeNode, rowsOf, treeOf } from './resource-tree.ts';

const resource = (serverId: string, uri: string, name = uri): ListedResource => {
  return { serverId, uri, name, address: `tidings://${serverId}/${encodeURIComponent(uri)}` };
};

const resources = [
  resource('vcon', 'vcon://v1/vcons/a/parties'),
  resource('vcon', 'vcon://v1/vcons/a/dialog'),
  resource('vcon', 'vcon://v1/vcons/b'),
  resource('notes', 'note://today', 'Shopping'),
];

/** Labels of the nodes, with those below a folder in brackets. */
function shape(nodes: readonly TreeNode[]): unknown[] {
  return nodes.map(({ label, children }) => (children.length === 0 ? label : [label, shape(children)]));
}

describe('the tree of resources', () => {
  it('has servers, then the parts of URIs; a part with a single child is joined with it', () => {
    expect(shape(treeOf(resources, ''))).toEqual([
      ['vcon', [['vcon://v1/vcons/', [['a/', ['parties', 'dialog']], 'b']]]],
      ['notes', ['note://today']],
    ]);
  });

  it('counts the resources of each folder', () => {
    const [vcon] = treeOf(resources, '');
    expect([vcon?.size, vcon?.children[0]?.size, vcon?.children[0]?.children[0]?.size]).toEqual([3, 3, 2]);
  });

  it.each([
    ['shop', ['note://today']],
    ['NOTES', ['note://today']],
    ['vcons part', ['vcon://v1/vcons/a/parties']],
    ['absent', []],
  ])('finds resources that match every word of %j in server, URI, name or title', (query, uris) => {
    const leaves = (nodes: readonly TreeNode[]): string[] =>
      nodes.flatMap((node) => (node.resource ? [node.resource.uri] : leaves(node.children)));
    expect(leaves(treeOf(resources, query))).toEqual(uris);
  });

  it('has a row for each node in open folders, with its level and position', () => {
    const rows = rowsOf(treeOf(resources, ''), ({ label }) => label === 'notes');
    expect(
      rows.map(({ node, level, isOpen, position, siblings }) => [node.label, level, isOpen, position, siblings]),
    ).toEqual([
      ['vcon', 1, false, 1, 2],
      ['notes', 1, true, 2, 2],
      ['note://today', 2, false, 1, 1],
    ]);
  });

  it('distinguishes a resource from a folder with the same prefix', () => {
    const [server] = treeOf([resource('s', 'a://x/'), resource('s', 'a://x/1'), resource('s', 'a://x/2')], '');
    const keys = new Set(rowsOf(server ? [server] : [], () => true).map(({ node }) => node.key));
    expect(keys.size).toBe(rowsOf(server ? [server] : [], () => true).length);
  });
});
