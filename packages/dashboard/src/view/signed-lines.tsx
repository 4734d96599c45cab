// Lines of a difference, each with its sign.
import type { JSX } from 'preact';

export interface SignedLine {
  sign: '+' | '-' | ' ' | '…';
  text: string;
}

export function SignedLines({ lines }: { lines: readonly SignedLine[] }): JSX.Element {
  return (
    <div class="diff">
      {lines.map(({ sign, text }, index) => (
        <div key={index} class={classes[sign]}>
          <span aria-hidden="true">{sign}</span>
          <span class="sr">{spoken[sign]}</span>
          {text}
        </div>
      ))}
    </div>
  );
}

const classes = { '+': 'added', '-': 'removed', ' ': 'same', '…': 'cut' } as const;
const spoken = { '+': 'added: ', '-': 'removed: ', ' ': '', '…': '' } as const;
