// What changed between the last two versions, line by line; long unchanged stretches are left out.
import { diffLines } from 'diff';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Content } from '../hub/api.ts';
import type { Versions } from '../state/versions.ts';
import { parsedJson } from './json-tree.tsx';
import { type SignedLine, SignedLines } from './signed-lines.tsx';

const contextLines = 3;
/** Comparing larger texts would hold up the page. */
const mostLength = 400_000;
const patienceMs = 500;

/** `earlier`: when it changed before it was first read here. */
export function DiffView({ versions, earlier }: { versions: Versions; earlier: number | undefined }): JSX.Element {
  const { previous, current } = versions;
  const lines = useMemo(() => previous && linesBetween(previous, current), [previous, current]);
  if (previous === undefined) {
    return (
      <p class="empty">
        It has not changed since you first looked at it here. When it does, this shows how.
        {earlier !== undefined &&
          ` It did change before, at ${new Date(earlier).toLocaleTimeString()}; of that the hub keeps only the result.`}
      </p>
    );
  }
  if (lines === undefined) {
    return (
      <p class="empty">
        It changed from {previous.bytes} to {current.bytes} bytes.
      </p>
    );
  }
  return <SignedLines lines={lines} />;
}

function linesBetween(before: Content, after: Content): SignedLine[] | undefined {
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

function readable({ text, type }: Content): string | undefined {
  if (text === undefined || text.length > mostLength) return undefined;
  const json = /json/.test(type) ? parsedJson(text) : undefined;
  return `${json === undefined ? text : JSON.stringify(json.value, undefined, 2)}\n`;
}
