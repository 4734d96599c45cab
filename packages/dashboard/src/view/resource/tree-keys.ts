// Keyboard navigation in a tree, as assistive technology expects it.
import type { TreeRow } from './resource-tree.ts';

/** The step of the keys PageUp and PageDown. */
const rowsPerPage = 15;

/** The row to which a key leads from the row at this index; `choose` opens or closes that row. */
export function keyTarget(key: string, rows: readonly TreeRow[], at: number): number | 'choose' | undefined {
  const row = rows[at];
  const isFolder = row !== undefined && row.node.resource === undefined;
  switch (key) {
    case 'ArrowDown':
      return Math.min(rows.length - 1, at + 1);
    case 'ArrowUp':
      return Math.max(0, at - 1);
    case 'Home':
      return 0;
    case 'End':
      return rows.length - 1;
    case 'PageDown':
      return Math.min(rows.length - 1, at + rowsPerPage);
    case 'PageUp':
      return Math.max(0, at - rowsPerPage);
    case 'ArrowRight':
      return isFolder ? (row.isOpen ? Math.min(rows.length - 1, at + 1) : 'choose') : undefined;
    case 'ArrowLeft':
      if (isFolder && row.isOpen) return 'choose';
      return (
        row &&
        Math.max(
          0,
          rows.slice(0, at).findLastIndex(({ level }) => level < row.level),
        )
      );
    case 'Enter':
    case ' ':
      return 'choose';
    default:
      return undefined;
  }
}
