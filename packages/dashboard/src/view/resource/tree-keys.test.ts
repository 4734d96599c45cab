import type { ListedResource } from '@tidings/client/contract';
import { describe, expect, it } from 'vitest';
import { rowsOf, treeOf } from './resource-tree.ts';
import { keyTarget } from './tree-keys.ts';

const resource = (serverId: string, uri: string): ListedResource => {
  return { serverId, uri, name: uri, address: `tidings://${serverId}/${encodeURIComponent(uri)}` };
};
// 0 notes (open), 1 note://a, 2 note://b, 3 vcon (closed)
const rows = rowsOf(
  treeOf([resource('notes', 'note://a'), resource('notes', 'note://b'), resource('vcon', 'vcon://1')], ''),
  ({ serverId }) => serverId === 'notes',
);
const leaf = rows.findIndex(({ node }) => node.resource?.uri === 'note://b');
const last = rows.length - 1;

describe('a key in a tree', () => {
  it.each([
    ['ArrowDown', 0, 1],
    ['ArrowDown', last, last],
    ['ArrowUp', 1, 0],
    ['ArrowUp', 0, 0],
    ['Home', last, 0],
    ['End', 0, last],
    ['PageDown', 0, last],
    ['PageUp', last, 0],
  ])('%s leads from row %i to row %i', (key, from, to) => {
    expect(keyTarget(key, rows, from)).toBe(to);
  });

  it('opens a closed folder with ArrowRight, and enters an open one', () => {
    expect(keyTarget('ArrowRight', rows, last)).toBe('choose');
    expect(keyTarget('ArrowRight', rows, 0)).toBe(1);
    expect(keyTarget('ArrowRight', rows, leaf)).toBeUndefined();
  });

  it('closes an open folder with ArrowLeft, and moves from a resource to its folder', () => {
    expect(keyTarget('ArrowLeft', rows, 0)).toBe('choose');
    const parent = keyTarget('ArrowLeft', rows, leaf);
    expect(typeof parent === 'number' && rows[parent]?.node.children.length).toBe(2);
  });

  it.each(['Enter', ' '])('chooses the row with %j', (key) => {
    expect(keyTarget(key, rows, leaf)).toBe('choose');
  });

  it('ignores other keys', () => {
    expect(keyTarget('a', rows, 0)).toBeUndefined();
  });
});
