// Formats rows in aligned columns. Where they do not fit, the widest column is cut first; the first column, which
// identifies the row, is cut last.
import { cut, pad, printable, widthOf } from './fit.ts';
import type { Screen } from './screen.ts';

const gap = '  ';
const minimum = 8;

/** Columns that are empty in every row are left out. */
export function formatTable(headings: readonly string[], rows: readonly (readonly string[])[], screen: Screen): string {
  const clean = rows.map((row) => row.map(printable));
  const used = headings.map((_, index) => index).filter((index) => clean.some((row) => row[index]));
  const lines = [headings, ...clean].map((row) => used.map((index) => row[index] ?? ''));
  const natural = used.map((_, column) => Math.max(...lines.map((line) => widthOf(line[column] ?? ''))));
  const widths = fitted(natural, screen.columns - gap.length * (used.length - 1));
  return lines
    .map((line, index) => {
      const cells = line.map((cell, column) => pad(cut(cell, widths[column] ?? 0), widths[column] ?? 0));
      const text = cells.join(gap).trimEnd();
      return index === 0 ? screen.style('bold', text) : text;
    })
    .join('\n');
}

function fitted([first = 0, ...others]: readonly number[], columns: number): number[] {
  const rest = shrunk(others, columns - first);
  const [name = 0] = shrunk([first], columns - rest.reduce((sum, width) => sum + width, 0));
  return [name, ...rest];
}

/** On a very narrow terminal, lines wrap: no column gets smaller than the minimum. */
function shrunk(natural: readonly number[], columns: number): number[] {
  const widths = [...natural];
  let excess = widths.reduce((sum, width) => sum + width, 0) - columns;
  while (excess > 0) {
    const widest = Math.max(...widths);
    if (widest <= minimum) break;
    const next = Math.max(minimum, ...widths.filter((width) => width < widest));
    const share = widths.filter((width) => width === widest).length;
    const less = Math.min(widest - next, Math.ceil(excess / share));
    for (const [column, width] of widths.entries()) if (width === widest) widths[column] = width - less;
    excess -= less * share;
  }
  return widths;
}
