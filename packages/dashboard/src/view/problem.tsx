import type { JSX } from 'preact';

/** What went wrong, in words; nothing where nothing did. */
export function Problem({ text }: { text: string }): JSX.Element | null {
  return text === '' ? null : (
    <p class="reason bad" role="alert">
      {text}
    </p>
  );
}
