// `_meta` of a request, as JSON. Most requests have none, so the input is collapsed.
import { isObject } from '@tidings/live/portable';
import type { JSX } from 'preact';

export function MetaInput({
  value,
  onChange,
}: {
  value: string;
  onChange(this: void, value: string): void;
}): JSX.Element {
  return (
    <details class="meta">
      <summary class="faint">_meta</summary>
      <textarea
        class="search"
        aria-label="_meta of the request"
        rows={2}
        placeholder='{"example.com/key": "value"}'
        spellcheck={false}
        value={value}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </details>
  );
}

/** Throws if it is not a JSON object. */
export function metaFrom(text: string): Record<string, unknown> | undefined {
  if (text.trim() === '') return undefined;
  const value: unknown = JSON.parse(text);
  if (isObject(value)) return { ...value };
  throw new Error('_meta has to be a JSON object.');
}
