// Lines of a difference, each with its sign.
import type { JSX } from 'preact';

export interface SignedLine {
  sign: '+' | '-' | ' ' | '…';
  text: string;
}

/** More lines would block the page. */
const mostLines = 5000;

export function SignedLines({ lines }: { lines: readonly SignedLine[] }): JSX.Element {
  return (
    <div class="diff">
      {shownLines(lines).map(({ sign, text }, index) => (
        <div key={index} class={classes[sign]}>
          <span aria-hidden="true">{sign}</span>
          <span class="sr">{spoken[sign]}</span>
          {text}
        </div>
      ))}
    </div>
  );
}

function shownLines(lines: readonly SignedLine[]): readonly SignedLine[] {
  if (lines.length <= mostLines) return lines;
  return [...lines.slice(0, mostLines), { sign: '…', text: `${lines.length - mostLines} more lines` }];
}

const classes = { '+': 'added', '-': 'removed', ' ': 'same', '…': 'cut' } as const;
const spoken = { '+': 'added: ', '-': 'removed: ', ' ': '', '…': '' } as const;
