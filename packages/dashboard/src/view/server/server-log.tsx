// The last lines that a server wrote on stderr, read again while they are shown.
import { every, systemClock } from '@tidings/live/time';
import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { readServerLog } from '../../hub/api.ts';
import { ProblemNote } from '../element/problem-note.tsx';
import { useProblem } from '../element/use-problem.ts';

const refreshMs = 2000;

export function ServerLog({ id }: { id: string }): JSX.Element {
  const [lines, setLines] = useState<Awaited<ReturnType<typeof readServerLog>>>([]);
  const { problem, attempt } = useProblem();
  const shown = useRef<HTMLPreElement>(null);
  const isAtEnd = useRef(true);
  useLayoutEffect(() => {
    // Keeps the newest line visible, unless the user has scrolled up.
    if (shown.current && isAtEnd.current) shown.current.scrollTop = shown.current.scrollHeight;
  }, [lines]);
  useEffect(() => {
    const read = () => {
      if (document.visibilityState !== 'visible') return;
      void attempt(async () => setLines(await readServerLog(id)));
    };
    read();
    const timer = every(systemClock, refreshMs, read);
    return () => timer.cancel();
  }, [id]);
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
