// One message to an agent in full: contents and differences are longer than a row of the transcript.
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { CopyButton } from './copy-button.tsx';

export function WholeEntry({ text, onClose }: { text: string; onClose(this: void): void }): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog class="sheet" ref={dialog} aria-label="What the agent was told" onClose={onClose}>
      <form method="dialog">
        <pre class="text" tabIndex={0}>
          {text}
        </pre>
        <div class="sheet-end">
          <CopyButton label="Copy" text={text} />
          <button type="submit" class="button strong">
            Close
          </button>
        </div>
      </form>
    </dialog>
  );
}
