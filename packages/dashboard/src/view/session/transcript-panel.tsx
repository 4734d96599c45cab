// One agent session: its options, its transcript, and a button to detach it.
import type { JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { detachSession } from '../../hub/api.ts';
import type { SessionStatus } from '@tidings/client/contract';
import { useObserved } from '../../state/observable.ts';
import { TranscriptReader } from '../../state/transcript-reader.ts';
import { ProblemNote } from '../element/problem-note.tsx';
import { useProblem } from '../element/use-problem.ts';
import { VirtualList } from '../element/virtual-list.tsx';
import { WholeEntry } from '../element/whole-entry.tsx';

/** The height of a row, and the characters that fit: two lines, or three on a narrow screen. */
const [rowHeight, mostInRow] = matchMedia('(max-width: 720px)').matches ? [68, 120] : [52, 150];

/** Content of servers is sent to the model as data, in the user's role; the hub's own sentences in the system's. */
const roleWords = { message: 'system', content: 'user, data', state: 'session' } as const;

interface TranscriptPanelProps {
  session: SessionStatus;
  onDetached(this: void): void;
}

export function TranscriptPanel({ session, onDetached }: TranscriptPanelProps): JSX.Element {
  const reader = useMemo(() => new TranscriptReader(session.id), [session.id]);
  useObserved(reader);
  useEffect(() => {
    reader.start();
    return () => reader.close();
  }, [reader]);
  const [whole, setWhole] = useState<string>();
  const { entries } = reader;
  return (
    <section class="pane transcript" aria-label="Transcript">
      <div class="pane-top">
        <div>
          <h2>{sessionName(session)}</h2>
          <p class="faint">{wordsFor(session)}</p>
        </div>
        {session.kind !== 'transcript' && <DetachButton session={session} onDetached={onDetached} />}
      </div>
      {reader.isRead && entries.every(({ kind }) => kind === 'state') && (
        <p class="empty">No messages yet. Change a resource to see the line an agent gets.</p>
      )}
      {entries.length > 0 && (
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
                  <span class="badge">{roleWords[entry.kind]}</span>
                  <span class="what" title={entry.text}>
                    <Dated text={entry.kind === 'content' ? withoutMarks(entry.text) : entry.text} />
                  </span>
                  {(entry.text.length > mostInRow || entry.text.includes('\n')) && (
                    <button type="button" class="button" onClick={() => setWhole(entry.text)}>
                      Show all
                    </button>
                  )}
                </div>
              )
            );
          }}
        />
      )}
      {whole !== undefined && <WholeEntry text={whole} onClose={() => setWhole(undefined)} />}
    </section>
  );
}

/** The content of the server without the sentence around it: a row has no room for both. The whole is shown on demand. */
function withoutMarks(text: string): string {
  const [, , content] = /^[^\n]*\n(\w+)\n([^]*)\n\1$/.exec(text) ?? [];
  return content ?? text;
}

/** Prevents line breaks inside a timestamp. */
function Dated({ text }: { text: string }): JSX.Element {
  const [, before = '', timestamp, after] = /^(.*?)(\d{4}-\d\d-\d\dT[\d:.]+Z)(.*)$/s.exec(text) ?? [];
  if (timestamp === undefined) return <>{text}</>;
  return (
    <>
      {before}
      <span class="unbroken">{timestamp}</span>
      {after}
    </>
  );
}

function DetachButton({ session, onDetached }: TranscriptPanelProps): JSX.Element {
  const { problem, attempt } = useProblem();
  const detach = async () => {
    if (!confirm('Detach this agent? It gets no more messages, and its transcript is deleted.')) return;
    await attempt(async () => {
      await detachSession(session.id);
      onDetached();
    });
  };
  return (
    <>
      <button type="button" class="button" onClick={() => void detach()}>
        Detach
      </button>
      <ProblemNote text={problem} />
    </>
  );
}

export function sessionName({ kind }: SessionStatus): string {
  const names: Readonly<Record<string, string>> = {
    transcript: 'Built-in transcript',
    'openai-realtime': 'OpenAI Realtime',
    'gemini-live': 'Gemini Live',
    webhook: 'Bridge (webhook)',
    stdout: 'Bridge (stdout)',
  };
  return names[kind] ?? kind;
}

function wordsFor({ kind, when, announce, perMinute, servers, uris }: SessionStatus): string {
  if (kind === 'transcript') return 'Preview of agent messages, without an agent';
  const told = { line: 'that it changed', snapshot: 'with its content', diff: 'with what changed' }[announce];
  const parts = [
    when === 'now' ? 'At once' : 'Between turns',
    told ?? announce,
    perMinute !== undefined && `${perMinute} a minute at the most`,
    servers && `only of ${servers.join(', ') || 'no server'}`,
    uris && `only ${uris.join(', ')}`,
  ];
  return parts.filter(Boolean).join(' · ');
}
