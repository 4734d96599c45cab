// A form over the page. Error messages of the hub or a server are shown below it.
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { ProblemNote } from './problem-note.tsx';
import { useProblem } from './use-problem.ts';

interface FormDialogProps {
  title: string;
  description?: string;
  /** The label of the button, before and during the action. */
  action: { does: string; doing: string };
  /** Rejects with the error to show. */
  send(this: void, form: FormData): Promise<void>;
  onClose(this: void): void;
  children: ComponentChildren;
}

export function FormDialog({ title, description, action, send, onClose, children }: FormDialogProps): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const { problem, attempt } = useProblem();
  const [isBusy, setBusy] = useState(false);
  useEffect(() => dialog.current?.showModal(), []);
  const submit = async (event: SubmitEvent & { currentTarget: HTMLFormElement }) => {
    event.preventDefault();
    setBusy(true);
    const form = new FormData(event.currentTarget);
    if (!(await attempt(() => send(form)))) setBusy(false);
  };
  return (
    <dialog class="sheet" ref={dialog} aria-labelledby={titleId} onClose={onClose}>
      <form onSubmit={(event) => void submit(event)}>
        <h2 id={titleId}>{title}</h2>
        {description !== undefined && <p class="description">{description}</p>}
        <div class="fields">{children}</div>
        <div class="sheet-end">
          <ProblemNote text={problem} />
          <button type="button" class="button" onClick={() => dialog.current?.close()}>
            Cancel
          </button>
          <button type="submit" class="button strong" disabled={isBusy}>
            {isBusy ? action.doing : action.does}
          </button>
        </div>
      </form>
    </dialog>
  );
}

interface FieldProps {
  label: string;
  hint?: string;
  isWide?: boolean;
  children: ComponentChildren;
}

export function LabelledField({ label, hint, isWide = false, children }: FieldProps): JSX.Element {
  return (
    <label class={isWide ? 'field wide' : 'field'}>
      <span>{label}</span>
      {children}
      {hint !== undefined && <span class="faint">{hint}</span>}
    </label>
  );
}

/** The text of a field; undefined if it is empty. */
export function textIn(form: FormData, name: string): string | undefined {
  const value = form.get(name);
  return typeof value === 'string' ? value.trim() || undefined : undefined;
}
