// Text measured and cut by the columns it takes on a terminal, where wide characters take two.
import { visibleText } from '@tidings/live/visible-text';
import stringWidth from 'string-width';

const graphemes = new Intl.Segmenter();

export function widthOf(text: string): number {
  return stringWidth(text);
}

/** Cut to `columns`, with an ellipsis if something is missing. */
export function cut(text: string, columns: number): string {
  if (columns === Infinity || stringWidth(text) <= columns) return text;
  let kept = '';
  let width = 0;
  for (const { segment } of graphemes.segment(text)) {
    width += stringWidth(segment);
    if (width > columns - 1) break;
    kept += segment;
  }
  return columns < 1 ? '' : `${kept}…`;
}

export function pad(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - stringWidth(text)));
}

/** On one line, and with nothing that would steer the terminal: names come from others. */
export function printable(text: string): string {
  return visibleText(text.replace(/\s+/g, ' '));
}
