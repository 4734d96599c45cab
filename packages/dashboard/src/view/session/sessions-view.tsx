// The agent sessions, and the messages of each.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { readSessions } from '../../hub/api.ts';
import type { SessionStatus } from '@tidings/client/contract';
import type { HubState } from '../../state/hub-state.ts';
import { useObserved } from '../../state/observable.ts';
import { AttachDialog } from './attach-dialog.tsx';
import { ProblemNote } from '../element/problem-note.tsx';
import { href } from '../route.ts';
import { TranscriptPanel, sessionName } from './transcript-panel.tsx';
import { usePolled } from '../element/use-polled.ts';

export function SessionsView({ hub, query }: { hub: HubState; query: URLSearchParams }): JSX.Element {
  useObserved(hub);
  const { value: sessions = [], problem, refresh } = usePolled(hub, readSessions);
  const [isAttaching, setAttaching] = useState(false);
  const chosen = sessions.find(({ id }) => id === query.get('id')) ?? sessions[0];
  const show = async (id: string) => {
    await refresh();
    location.hash = href('sessions', { id });
  };
  return (
    <>
      <div class="heading">
        <h1>Sessions</h1>
        <p>Messages sent to agents, live</p>
        <span class="grow" />
        <button type="button" class="button strong" onClick={() => setAttaching(true)}>
          Attach an agent
        </button>
      </div>
      <ProblemNote text={problem} />
      {isAttaching && (
        <AttachDialog
          servers={hub.servers}
          onClose={() => setAttaching(false)}
          onAttached={({ id }) => {
            setAttaching(false);
            void show(id);
          }}
        />
      )}
      <div class="split narrow">
        <ul class="pane sessions" aria-label="Agent sessions">
          {sessions.map((session) => (
            <li key={session.id}>
              <a href={href('sessions', { id: session.id })} aria-current={session === chosen ? 'true' : undefined}>
                <strong>{sessionName(session)}</strong>
                <span class={`badge ${toneOf(session)}`}>
                  <span class="dot" aria-hidden="true" />
                  {stateWords[session.state] ?? session.state}
                </span>
                <span class="faint">
                  {session.messages} told{session.pending > 0 && `, ${session.pending} waiting`}
                </span>
                {session.detail !== '' && <span class="reason bad">{session.detail}</span>}
              </a>
            </li>
          ))}
        </ul>
        {chosen && (
          <TranscriptPanel
            key={`${chosen.id} ${hub.epoch}`}
            session={chosen}
            onDetached={() => void show('transcript')}
          />
        )}
      </div>
    </>
  );
}

const stateWords: Readonly<Record<string, string>> = { backoff: 'trying again' };

function toneOf({ state }: SessionStatus): string {
  return state === 'attached' ? 'good' : state === 'backoff' ? 'bad' : 'wait';
}
