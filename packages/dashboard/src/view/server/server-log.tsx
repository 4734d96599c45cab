// The last lines that a server wrote on stderr, read again while they are shown.
import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { readServerLog } from '../../hub/api.ts';
import type { HubState } from '../../state/hub-state.ts';
import { ProblemNote } from '../element/problem-note.tsx';
import { usePolled } from '../element/use-polled.ts';

export function ServerLog({ hub, id }: { hub: HubState; id: string }): JSX.Element {
  const { value: lines = [], problem } = usePolled(hub, () => readServerLog(id));
  const shown = useRef<HTMLPreElement>(null);
  const isAtEnd = useRef(true);
  useLayoutEffect(() => {
    // Keeps the newest line visible, unless the user has scrolled up.
    if (shown.current && isAtEnd.current) shown.current.scrollTop = shown.current.scrollHeight;
  }, [lines]);
  return (
    <section class="pane offers" aria-label="Log">
      <h2>Log</h2>
      <ProblemNote text={problem} />
      {lines.length === 0 ? (
        <p class="faint">It wrote nothing on stderr.</p>
      ) : (
        <pre
          class="text log"
          tabIndex={0}
          ref={shown}
          onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
            isAtEnd.current = scrollTop + clientHeight >= scrollHeight - 4;
          }}
        >
          {lines.map(({ time, text }) => `${new Date(time).toLocaleTimeString()}  ${text}`).join('\n')}
        </pre>
      )}
    </section>
  );
}
