import { systemClock } from '@tidings/live/time';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

const shownMs = 1500;

export function CopyButton({ label, text }: { label: string; text: string }): JSX.Element {
  const [outcome, setOutcome] = useState('');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setOutcome('Copied');
    } catch {
      // Over plain HTTP from another machine there is no clipboard; the text can still be copied by hand.
      prompt('Copy this:', text);
    }
    systemClock.after(shownMs, () => setOutcome(''));
  };
  return (
    <button type="button" class="button" onClick={() => void copy()}>
      <span aria-live="polite">{outcome || label}</span>
    </button>
  );
}
