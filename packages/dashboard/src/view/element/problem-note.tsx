import type { JSX } from 'preact';

/** An error message; nothing if it is empty. */
export function ProblemNote({ text }: { text: string }): JSX.Element | null {
  return text === '' ? null : (
    <p class="reason bad" role="alert">
      {text}
    </p>
  );
}
