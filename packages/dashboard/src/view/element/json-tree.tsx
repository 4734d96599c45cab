// JSON as a tree that can be expanded. Collapsed parts are not in the page, and long arrays are shown in pieces.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

const pieceSize = 100;
/** The number of rows that may be expanded at first. */
const openRows = 1000;
/** Longer texts are cut: one of megabytes would block the page. */
const longestText = 20_000;

/** A whole number with more digits than JavaScript keeps. */
const longNumber = /(?:^|[:,[])\s*-?\d{16,}/;

/** Undefined if the text is not JSON, or if parsing would change a number. */
export function displayableJson(text: string): { value: unknown } | undefined {
  if (longNumber.test(text)) return undefined;
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** `open`: the number of levels that are expanded at first. */
export function JsonTree({ value, open = 3 }: { value: unknown; open?: number }): JSX.Element {
  return (
    <div class="json">
      <Value value={value} open={open} room={openRows} />
    </div>
  );
}

interface ValueProps {
  name?: string;
  value: unknown;
  /** The levels that are expanded at first, and the rows that they may take from here on. */
  open: number;
  room: number;
}

function Value({ name, value, open, room }: ValueProps): JSX.Element {
  if (typeof value !== 'object' || value === null) {
    return (
      <div class="leaf">
        <Name name={name} />
        <span class={`json-${value === null ? 'null' : typeof value}`}>{leafText(value)}</span>
      </div>
    );
  }
  return <Branch name={name} value={value} open={open} room={room} />;
}

function leafText(value: unknown): string {
  const isLong = typeof value === 'string' && value.length > longestText;
  const more = isLong ? `… and ${value.length - longestText} more characters` : '';
  return `${JSON.stringify(isLong ? value.slice(0, longestText) : value)}${more}`;
}

interface BranchProps extends Omit<ValueProps, 'name' | 'value'> {
  name: string | undefined;
  value: object;
}

function Branch({ name, value, open, room }: BranchProps): JSX.Element {
  const isArray = Array.isArray(value);
  const size = isArray ? value.length : Object.keys(value).length;
  const firstRows = Math.min(size, pieceSize);
  const [isOpen, setOpen] = useState(open > 0 && firstRows <= room);
  const [shown, setShown] = useState(pieceSize);
  const summary = isArray ? `[ ${size} ]` : `{ ${size} }`;
  return (
    <div class="branch">
      <button type="button" class="fold" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <span class="twist" aria-hidden="true">
          {isOpen ? '▾' : '▸'}
        </span>
        <Name name={name} />
        <span class="faint">{summary}</span>
      </button>
      {isOpen && (
        <div class="inner">
          {firstEntries(value, shown).map(([key, each]) => (
            <Value key={key} name={key} value={each} open={open - 1} room={room / firstRows} />
          ))}
          {size > shown && (
            <button type="button" class="button" onClick={() => setShown(shown + pieceSize)}>
              {size - shown} more
            </button>
          )}
        </div>
      )}
    </div>
  );
}

/** Slices first: a list may have millions of items. */
function firstEntries(value: object, count: number): [string, unknown][] {
  return Object.entries(Array.isArray(value) ? value.slice(0, count) : value).slice(0, count);
}

function Name({ name }: { name: string | undefined }): JSX.Element | null {
  return name === undefined ? null : <span class="json-key">{name}: </span>;
}
