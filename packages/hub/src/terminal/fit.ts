// Measures and cuts text by terminal columns; wide characters take two.
import { visibleText } from '@tidings/live/portable';
import stringWidth from 'string-width';

const graphemes = new Intl.Segmenter();

export function widthOf(text: string): number {
  return stringWidth(text);
}

/** Cuts to `columns`; text that was cut ends with an ellipsis. */
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

/** On one line, with control characters made visible: names come from servers. */
export function printable(text: string): string {
  return visibleText(text.replace(/\s+/g, ' '));
}
