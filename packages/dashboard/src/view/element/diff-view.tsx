// The changes between two versions: of JSON by path, of other text by line, without long unchanged parts.
import { diffLines } from 'diff';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { ShownContent } from '../../hub/contents.ts';
import { byteCount } from '@tidings/client/contract';
import { jsonChanges } from '@tidings/client/json-changes';
import { JsonChangesView } from './json-changes-view.tsx';
import { displayableJson } from './json-tree.tsx';
import { type SignedLine, SignedLines } from './signed-lines.tsx';

const contextLines = 3;
/** Comparing larger texts would block the page. */
const mostLength = 6_000_000;
const patienceMs = 500;
const mostChanges = 200;

export function DiffView({ before, after }: { before: ShownContent | undefined; after: ShownContent }): JSX.Element {
  const changes = useMemo(() => before && jsonBetween(before, after), [before, after]);
  const lines = useMemo(() => (before && !changes ? linesBetween(before, after) : undefined), [before, after, changes]);
  if (before === undefined) {
    return <p class="empty">No change since the first read. Changes will be shown here.</p>;
  }
  if (changes) return <JsonChangesView {...changes} />;
  if (lines === undefined) {
    return (
      <p class="empty">
        It changed from {byteCount(before.bytes)} to {byteCount(after.bytes)}.
      </p>
    );
  }
  return <SignedLines lines={lines} />;
}

/** Undefined if one of them is not JSON. */
function jsonBetween(before: ShownContent, after: ShownContent): ReturnType<typeof jsonChanges> | undefined {
  const [old, fresh] = [jsonOf(before), jsonOf(after)];
  return old && fresh && jsonChanges(old.value, fresh.value, mostChanges);
}

function jsonOf({ text, type }: ShownContent): { value: unknown } | undefined {
  return text !== undefined && /json/.test(type) ? displayableJson(text) : undefined;
}

function linesBetween(before: ShownContent, after: ShownContent): SignedLine[] | undefined {
  const [old, fresh] = [readable(before), readable(after)];
  if (old === undefined || fresh === undefined) return undefined;
  const parts = diffLines(old, fresh, { timeout: patienceMs });
  return parts?.flatMap(({ value, added, removed }, index) => {
    const sign = added ? '+' : removed ? '-' : ' ';
    const lines = value.replace(/\n$/, '').split('\n');
    if (sign !== ' ') return lines.map((text): SignedLine => ({ sign, text }));
    return shortened(lines, index === 0, index === parts.length - 1);
  });
}

function shortened(lines: string[], isFirst: boolean, isLast: boolean): SignedLine[] {
  const head = isFirst ? 0 : contextLines;
  const tail = isLast ? 0 : contextLines;
  const same = (text: string): SignedLine => ({ sign: ' ', text });
  if (lines.length <= head + tail + 1) return lines.map(same);
  const cut: SignedLine = { sign: '…', text: `${lines.length - head - tail} lines the same` };
  return [...lines.slice(0, head).map(same), cut, ...lines.slice(lines.length - tail).map(same)];
}

function readable({ text }: ShownContent): string | undefined {
  return text === undefined || text.length > mostLength ? undefined : `${text}\n`;
}
