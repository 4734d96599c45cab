// The agents that are told what changes, and what each was told.
import type { JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { readSessions } from '../hub/api.ts';
import type { Session } from '../hub/schemas.ts';
import type { HubState } from '../state/hub-state.ts';
import { useObserved } from '../state/observable.ts';
import { TranscriptReader } from '../state/transcript-reader.ts';
import { href } from './route.ts';
import { VirtualList } from './virtual-list.tsx';

const refreshMs = 2000;
const rowHeight = 52;

export function SessionsView({ hub, query }: { hub: HubState; query: URLSearchParams }): JSX.Element {
  useObserved(hub);
  const { sessions, problem } = useSessions(hub);
  const chosen = sessions.find(({ id }) => id === query.get('id')) ?? sessions[0];
  return (
    <>
      <div class="heading">
        <h1>Sessions</h1>
        <p>What agents are told, as they are told it</p>
      </div>
      {problem !== '' && (
        <p class="reason bad" role="alert">
          {problem}
        </p>
      )}
      <div class="split narrow">
        <ul class="pane sessions" aria-label="Agent sessions">
          {sessions.map((session) => (
            <li key={session.id}>
              <a href={href('sessions', { id: session.id })} aria-current={session === chosen ? 'true' : undefined}>
                <strong>{session.kind === 'transcript' ? 'Built-in transcript' : session.kind}</strong>
                <span class={`badge ${session.state === 'attached' ? 'good' : 'wait'}`}>
                  <span class="dot" aria-hidden="true" />
                  {session.state}
                </span>
                <span class="faint">
                  {session.messages} told{session.pending > 0 && `, ${session.pending} waiting`} · {session.when} ·{' '}
                  {session.announce}
                </span>
                {session.detail !== '' && <span class="reason bad">{session.detail}</span>}
              </a>
            </li>
          ))}
        </ul>
        {chosen && <TranscriptPanel key={`${chosen.id} ${hub.epoch}`} session={chosen} />}
      </div>
    </>
  );
}

function TranscriptPanel({ session }: { session: Session }): JSX.Element {
  const reader = useMemo(() => new TranscriptReader(session.id), [session.id]);
  useObserved(reader);
  useEffect(() => {
    void reader.follow();
    return () => reader.close();
  }, [reader]);
  const { entries } = reader;
  return (
    <section class="pane transcript" aria-label="Transcript">
      {entries.length === 0 ? (
        <p class="empty">Nothing was said yet. Change a resource, and the line an agent would get appears here.</p>
      ) : (
        <VirtualList
          class="lines"
          role="list"
          aria-label="Transcript, newest first"
          tabIndex={0}
          count={entries.length}
          rowHeight={rowHeight}
          row={(index) => {
            const entry = entries[entries.length - 1 - index];
            return (
              entry && (
                <div role="listitem" key={entry.id} class={`line ${entry.kind}`} style={{ height: `${rowHeight}px` }}>
                  <span class="badge">{entry.kind === 'message' ? 'system' : 'session'}</span>
                  <span class="what" title={entry.text}>
                    {entry.text}
                  </span>
                </div>
              )
            );
          }}
        />
      )}
    </section>
  );
}

function useSessions(hub: HubState): { sessions: readonly Session[]; problem: string } {
  const [sessions, setSessions] = useState<readonly Session[]>([]);
  const [problem, setProblem] = useState('');
  useEffect(() => {
    const refresh = () => {
      if (document.visibilityState === 'hidden') return;
      readSessions().then(
        (found) => {
          setSessions(found);
          setProblem('');
        },
        // While the hub is away, the note at the top says so.
        (error: unknown) => {
          if (hub.connection === 'open') setProblem(error instanceof Error ? error.message : String(error));
        },
      );
    };
    refresh();
    const timer = setInterval(refresh, refreshMs);
    return () => clearInterval(timer);
  }, [hub.epoch]);
  return { sessions, problem };
}
