// A form for the arguments of a tool or a prompt, with the result, and the changes that followed.
import { messageOf } from '@tidings/live/portable';
import { onAbort, systemClock } from '@tidings/live/time';
import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { CallInProgress } from '../../hub/mcp-request.ts';
import type { Answers, Question } from '../../hub/questions.ts';
import type { HubState } from '../../state/hub-state.ts';
import { useObserved } from '../../state/observable.ts';
import { CopyButton } from '../element/copy-button.tsx';
import { FieldInputs, type FilledIn } from './field-inputs.tsx';
import { MetaInput, metaFrom } from './meta-input.tsx';
import { ProblemNote } from '../element/problem-note.tsx';
import { QuestionForm } from './question-form.tsx';
import { href } from '../route.ts';
import { type SchemaField, argumentsFrom } from './schema-fields.ts';

/** Later changes are not attributed to the call. */
const causedMs = 5000;
const mostShown = 10;

interface ArgumentFormProps {
  hub: HubState;
  fields: readonly SchemaField[];
  /** The label of the button. */
  action: string;
  /** Whether it is a request, which may have `_meta`. */
  hasMeta?: boolean;
  /** The equivalent command for a terminal. */
  command?(this: void, args: Record<string, unknown>): string;
  send(this: void, args: Record<string, unknown>, call: CallInProgress): Promise<ComponentChildren>;
}

interface ShownOutcome {
  shown: ComponentChildren;
  /** The number of the last event before the call, and the time of the response. */
  after: number;
  at: number;
}

/** The server's current questions. */
interface Asked {
  questions: readonly Question[];
  answer(this: void, answers: Answers): void;
}

export function ArgumentForm({ hub, fields, action, hasMeta = false, command, send }: ArgumentFormProps): JSX.Element {
  const [filled, setFilled] = useState<FilledIn>({});
  const [outcome, setOutcome] = useState<ShownOutcome>();
  const [problem, setProblem] = useState('');
  const [running, setRunning] = useState<AbortController>();
  const [progress, setProgress] = useState('');
  const [asked, setAsked] = useState<Asked>();
  const [meta, setMeta] = useState('');
  const isBusy = running !== undefined;
  const submit = async (event: Event) => {
    event.preventDefault();
    const abort = new AbortController();
    setRunning(abort);
    setProblem('');
    setProgress('');
    setOutcome(undefined);
    const after = hub.timeline.count;
    const ask = async (questions: readonly Question[]) => {
      try {
        return await answered(abort.signal, (answer) => setAsked({ questions, answer }));
      } finally {
        setAsked(undefined);
      }
    };
    try {
      const call = { signal: abort.signal, onProgress: setProgress, ask, meta: metaFrom(meta) };
      const shown = await send(argumentsFrom(fields, filled), call);
      setOutcome({ shown, after, at: systemClock.date() });
    } catch (error) {
      if (abort.signal.aborted) setProblem('Cancelled.');
      else setProblem(messageOf(error));
    }
    setRunning(undefined);
  };
  return (
    <div class="arguments">
      <form onSubmit={(event) => void submit(event)}>
        <FieldInputs fields={fields} filled={filled} onChange={setFilled} />
        {hasMeta && <MetaInput value={meta} onChange={setMeta} />}
        <div class="actions">
          <button type="submit" class="button strong" disabled={isBusy}>
            {asked ? 'The server asks you' : isBusy ? 'Waiting for the server…' : action}
          </button>
          {running && (
            <button type="button" class="button" onClick={() => running.abort()}>
              Cancel
            </button>
          )}
          {!running && command && <CopyButton label="Copy as command" text={commandFor(command, fields, filled)} />}
          {running && progress !== '' && <span class="faint">{progress}</span>}
        </div>
      </form>
      {asked && <QuestionForm questions={asked.questions} onAnswer={asked.answer} />}
      <ProblemNote text={problem} />
      {outcome && (
        <>
          <div class="result" role="region" aria-label="Result" tabIndex={0}>
            {outcome.shown}
          </div>
          <Caused hub={hub} {...outcome} />
        </>
      )}
    </div>
  );
}

/** Resolves with the user's answers; a call that is cancelled meanwhile gets none. */
function answered(signal: AbortSignal, show: (answer: (answers: Answers) => void) => void): Promise<Answers> {
  return new Promise((resolve, reject) => {
    onAbort(signal, () => reject(new Error('Cancelled.')));
    show(resolve);
  });
}

/** With the current values; if a field is not valid yet, without arguments. */
function commandFor(
  command: (args: Record<string, unknown>) => string,
  fields: readonly SchemaField[],
  filled: FilledIn,
): string {
  try {
    return command(argumentsFrom(fields, filled));
  } catch {
    return command({});
  }
}

/** Updates during the call and shortly after it. */
function Caused({ hub, after, at }: Pick<ShownOutcome, 'after' | 'at'> & { hub: HubState }): JSX.Element | null {
  useObserved(hub.timeline);
  const updates = hub.timeline.entries.flatMap(({ number, event }) =>
    number > after && event.type === 'resource_update' && Date.parse(event.timestamp) < at + causedMs ? [event] : [],
  );
  const uris = new Map(
    updates.map(({ serverId, resourceUri }) => [`${serverId} ${resourceUri}`, { serverId, resourceUri }]),
  );
  if (uris.size === 0) return null;
  const shown = [...uris.values()].slice(0, mostShown);
  return (
    <div class="caused">
      <h3>Changed meanwhile</h3>
      <ul class="plain">
        {shown.map(({ serverId, resourceUri }) => (
          <li key={`${serverId} ${resourceUri}`}>
            <a href={href('resources', { server: serverId, uri: resourceUri })}>{resourceUri}</a>
          </li>
        ))}
      </ul>
      {uris.size > shown.length && <p class="faint">and {uris.size - shown.length} more</p>}
    </div>
  );
}
