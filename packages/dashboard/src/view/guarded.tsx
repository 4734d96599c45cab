// A view that cannot be drawn, perhaps because of what a server sent, is replaced by a message; the rest of the page goes on.
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useErrorBoundary } from 'preact/hooks';
import { Problem } from './problem.tsx';

interface GuardedProps {
  /** A change of it draws the view again. */
  address: string;
  children: ComponentChildren;
}

export function Guarded({ address, children }: GuardedProps): JSX.Element {
  const [error, reset] = useErrorBoundary();
  useEffect(() => {
    if (error !== undefined) reset();
  }, [address]);
  if (error === undefined) return <>{children}</>;
  return <Problem text={`This cannot be shown: ${error instanceof Error ? error.message : String(error)}`} />;
}
