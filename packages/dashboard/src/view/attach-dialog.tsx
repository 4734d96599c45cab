// Attaches an agent: a form over the page. The hub says what is wrong with it, in its own words.
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type AttachRequest, attachSession } from '../hub/api.ts';
import type { ServerStatus, SessionStatus } from '@tidings/client/contract';
import { Problem } from './problem.tsx';

interface AttachDialogProps {
  servers: readonly ServerStatus[];
  onAttached(this: void, session: SessionStatus): void;
  onClose(this: void): void;
}

export function AttachDialog({ servers, onAttached, onClose }: AttachDialogProps): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  useEffect(() => dialog.current?.showModal(), []);
  const submit = async (event: SubmitEvent & { currentTarget: HTMLFormElement }) => {
    event.preventDefault();
    setBusy(true);
    try {
      onAttached(await attachSession(requestIn(new FormData(event.currentTarget), servers)));
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
      setBusy(false);
    }
  };
  return (
    <dialog class="sheet" ref={dialog} aria-labelledby="attach-title" onClose={onClose}>
      <form onSubmit={(event) => void submit(event)}>
        <h2 id="attach-title">Attach an agent</h2>
        <p class="description">The hub opens the session itself and tells it of every change it is asked to.</p>
        <div class="fields">
          <Field label="Kind">
            <select name="kind">
              <option value="openai-realtime">OpenAI Realtime</option>
            </select>
          </Field>
          <Field label="Key" hint="The name of a variable in the hub’s environment. The key itself stays there.">
            <input name="key_env" class="search" defaultValue="OPENAI_API_KEY" autocomplete="off" spellcheck={false} />
          </Field>
          <Field label="Model">
            <input name="model" class="search" placeholder="The usual one" autocomplete="off" spellcheck={false} />
          </Field>
          <Field label="Address">
            <input name="url" class="search" placeholder="OpenAI’s" autocomplete="off" spellcheck={false} />
          </Field>
          <Field label="When">
            <select name="when">
              <option value="now">Now, at once</option>
              <option value="between-turns">Between turns, 3 s at the most</option>
            </select>
          </Field>
          <Field label="Tell">
            <select name="announce">
              <option value="line">That it changed</option>
              <option value="snapshot">With its content</option>
              <option value="diff">With what changed in it</option>
            </select>
          </Field>
          <Field label="Messages a minute">
            <input name="per_minute" class="search" type="number" min="1" step="1" placeholder="As many as there are" />
          </Field>
          <Field label="Resources" hint="Patterns such as vcon://**, with spaces between them.">
            <input name="uris" class="search" placeholder="All" autocomplete="off" spellcheck={false} />
          </Field>
          <fieldset class="wide">
            <legend>Servers</legend>
            {servers.map(({ id }) => (
              <label key={id} class="choice">
                <input type="checkbox" name="servers" value={id} defaultChecked /> {id}
              </label>
            ))}
          </fieldset>
        </div>
        <div class="sheet-end">
          <Problem text={problem} />
          <button type="button" class="button" onClick={() => dialog.current?.close()}>
            Cancel
          </button>
          <button type="submit" class="button strong" disabled={isBusy}>
            {isBusy ? 'Attaching…' : 'Attach'}
          </button>
        </div>
      </form>
    </dialog>
  );
}

/** With every server chosen, those to come are told of too. */
function requestIn(form: FormData, servers: readonly ServerStatus[]): AttachRequest {
  const texts = (name: string) => form.getAll(name).filter((value) => typeof value === 'string');
  const text = (name: string) => texts(name)[0]?.trim() || undefined;
  const chosen = texts('servers');
  const perMinute = text('per_minute');
  return {
    kind: text('kind') ?? '',
    key_env: text('key_env'),
    model: text('model'),
    url: text('url'),
    when: text('when'),
    announce: text('announce'),
    per_minute: perMinute === undefined ? undefined : Number(perMinute),
    servers: chosen.length === servers.length ? undefined : chosen,
    uris: text('uris')?.split(/[\s,]+/),
  };
}

function Field({ label, hint, children }: { label: string; hint?: string; children: ComponentChildren }): JSX.Element {
  return (
    <label class="field">
      <span>{label}</span>
      {children}
      {hint !== undefined && <span class="faint">{hint}</span>}
    </label>
  );
}
