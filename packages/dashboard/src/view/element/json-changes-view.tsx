// The changes between two versions of JSON, one path per line.
import type { JSX } from 'preact';
import type { JsonChange } from '@tidings/client/json-changes';
import { shortened } from '@tidings/live/portable';

const longestShown = 2000;

export function JsonChangesView({
  changes,
  hasMore,
}: {
  changes: readonly JsonChange[];
  hasMore: boolean;
}): JSX.Element {
  if (changes.length === 0) return <p class="empty">Only the spelling changed: the values are the same.</p>;
  return (
    <>
      <dl class="json-changes">
        {changes.map(({ path, op, before, after }) => (
          <div key={path}>
            <dt>
              <code>{path || 'value'}</code> <span class="faint">{op}</span>
            </dt>
            {op !== 'added' && <dd class="removed">{shown(before)}</dd>}
            {op !== 'removed' && <dd class="added">{shown(after)}</dd>}
          </div>
        ))}
      </dl>
      {hasMore && <p class="faint">and more: these are the first {changes.length}.</p>}
    </>
  );
}

/** Long values are not indented: a deep one would have very long lines. */
function shown(value: unknown): string {
  try {
    const text = JSON.stringify(value);
    return text.length <= longestShown ? JSON.stringify(value, undefined, 2) : shortened(text, longestShown);
  } catch {
    return 'Nested too deep to be shown.';
  }
}
