// Replaces a view that throws, perhaps because of a server's data, by a message; the rest of the page keeps working.
import { messageOf } from '@tidings/live/portable';
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useErrorBoundary } from 'preact/hooks';
import { ProblemNote } from './problem-note.tsx';

interface GuardedProps {
  /** When it changes, the view is rendered again. */
  address: string;
  children: ComponentChildren;
}

export function Guarded({ address, children }: GuardedProps): JSX.Element {
  const [error, reset] = useErrorBoundary();
  useEffect(() => {
    if (error !== undefined) reset();
  }, [address]);
  if (error === undefined) return <>{children}</>;
  return <ProblemNote text={`This cannot be shown: ${messageOf(error)}`} />;
}
