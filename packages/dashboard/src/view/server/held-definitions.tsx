// Changed definitions of a pinned server, held back until the user agrees: each with its old and its new text.
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { readHeld, trust } from '../../hub/api.ts';
import type { DefinitionsAnswer, ServerStatus, ShownDefinition } from '@tidings/client/contract';
import type { HubState } from '../../state/hub-state.ts';
import { ProblemNote } from '../element/problem-note.tsx';
import { type SignedLine, SignedLines } from '../element/signed-lines.tsx';
import { definitionInWords, isSingle } from '../element/definition-in-words.ts';
import { useProblem } from '../element/use-problem.ts';
import { visibleName } from '../element/visible-name.ts';

interface HeldDefinitionsProps {
  server: ServerStatus;
  hub: HubState;
}

export function HeldDefinitions({ server, hub }: HeldDefinitionsProps): JSX.Element | null {
  const { id } = server;
  const [definitions, setDefinitions] = useState<DefinitionsAnswer>();
  const { problem, attempt } = useProblem();
  const [isBusy, setBusy] = useState(false);
  const show = async (work: () => Promise<DefinitionsAnswer>) => {
    setBusy(true);
    const isShown = await attempt(async () => setDefinitions(await work()));
    // The shown definitions may be outdated.
    if (!isShown) readHeld(id).then(setDefinitions, () => undefined);
    setBusy(false);
    void hub.refreshServers();
  };
  // Read again after each change, so that the user agrees to what is shown.
  useEffect(() => void show(() => readHeld(id)), [id, server.held, hub.epoch, hub.definitionChanges(id)]);
  const held = definitions?.held ?? [];
  const total = definitions?.total ?? 0;
  if (total === 0 && problem === '') return null;
  return (
    <section class="held" aria-label={`Held back of ${id}`}>
      <h3>{total === 1 ? 'One definition waits' : `${total} definitions wait`} for your consent</h3>
      <p class="faint">
        This server is pinned. Changed definitions are offered to no client until you agree. Look at what it would tell
        a model.
      </p>
      {held.map((each) => (
        <HeldDefinition
          key={`${each.kind} ${each.name} ${each.hash}`}
          serverId={id}
          held={each}
          isBusy={isBusy}
          onAgree={() => void show(() => trust(id, [each]))}
        />
      ))}
      <ProblemNote text={problem} />
      {held.length > 1 && (
        <button type="button" class="button" disabled={isBusy} onClick={() => void show(() => trust(id, held))}>
          Agree to all {held.length}
        </button>
      )}
      {total > held.length && <p class="faint">{total - held.length} more come after these.</p>}
    </section>
  );
}

interface HeldDefinitionProps {
  serverId: string;
  held: ShownDefinition;
  isBusy: boolean;
  onAgree(this: void): void;
}

function HeldDefinition({ serverId, held, isBusy, onAgree }: HeldDefinitionProps): JSX.Element {
  const { kind, name, changes } = held;
  const [whole, setWhole] = useState<ShownDefinition>();
  const { problem, attempt } = useProblem();
  const { diff, cut } = whole ?? held;
  const showAll = () =>
    attempt(async () => {
      const { held: found } = await readHeld(serverId, { kind, name });
      setWhole(found.find(({ hash }) => hash === held.hash));
    });
  return (
    <details class="held-definition" open>
      <summary>
        <span class="badge wait">{kind}</span>
        {!isSingle(kind) && <strong>{visibleName(name)}</strong>}
        <span class="faint">{changes.join() === 'new' ? 'new' : changes.join(', ')}</span>
      </summary>
      <SignedLines lines={linesOf(diff)} />
      {cut > 0 && (
        <button type="button" class="button" onClick={() => void showAll()}>
          Show {cut} more characters
        </button>
      )}
      <ProblemNote text={problem} />
      <button
        type="button"
        class="button strong"
        disabled={isBusy}
        aria-label={`Agree to ${definitionInWords({ kind, name })}`}
        onClick={onAgree}
      >
        Agree
      </button>
    </details>
  );
}

function linesOf(diff: string): SignedLine[] {
  return diff.split('\n').map((line) => {
    const sign = line.slice(0, 1);
    if (sign === '…') return { sign, text: 'lines that are the same' };
    return { sign: sign === '+' || sign === '-' ? sign : ' ', text: line.slice(1) };
  });
}
