// JSON to be opened and closed. Closed parts are not in the page, and long arrays are shown in pieces.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

const pieceSize = 100;

/** A whole number that would come out as another one. */
const longNumber = /(?:^|[:,[])\s*-?\d{16,}/;

/** Nothing where it is no JSON, or where what is parsed would not be what is there. */
export function parsedJson(text: string): { value: unknown } | undefined {
  if (longNumber.test(text)) return undefined;
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** `open`: how many levels are open at first. */
export function JsonTree({ value, open = 3 }: { value: unknown; open?: number }): JSX.Element {
  return (
    <div class="json">
      <Value value={value} open={open} />
    </div>
  );
}

function Value({ name, value, open }: { name?: string; value: unknown; open: number }): JSX.Element {
  if (typeof value !== 'object' || value === null) {
    return (
      <div class="leaf">
        <Name name={name} />
        <span class={`json-${value === null ? 'null' : typeof value}`}>{JSON.stringify(value)}</span>
      </div>
    );
  }
  return <Branch name={name} value={value} open={open} />;
}

function Branch({ name, value, open }: { name: string | undefined; value: object; open: number }): JSX.Element {
  const entries = Object.entries(value);
  const [isOpen, setOpen] = useState(open > 0);
  const [shown, setShown] = useState(pieceSize);
  const isArray = Array.isArray(value);
  const summary = isArray ? `[ ${entries.length} ]` : `{ ${entries.length} }`;
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
          {entries.slice(0, shown).map(([key, each]) => (
            <Value key={key} name={key} value={each} open={open - 1} />
          ))}
          {entries.length > shown && (
            <button type="button" class="button" onClick={() => setShown(shown + pieceSize)}>
              {entries.length - shown} more
            </button>
          )}
        </div>
      )}
    </div>
  );
}

function Name({ name }: { name: string | undefined }): JSX.Element | null {
  return name === undefined ? null : <span class="json-key">{name}: </span>;
}
