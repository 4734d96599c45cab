// Data without events: read when a view opens, and every two seconds while the page is visible.
import { every, systemClock } from '@tidings/live/time';
import { useEffect, useState } from 'preact/hooks';
import type { HubState } from '../../state/hub-state.ts';
import { useProblem } from './use-problem.ts';

const refreshMs = 2000;

interface Polled<T> {
  /** Undefined until it was read once. */
  value: T | undefined;
  problem: string;
  refresh(this: void): Promise<void>;
}

export function usePolled<T>(hub: HubState, read: () => Promise<T>): Polled<T> {
  const [value, setValue] = useState<T>();
  // While the hub is unreachable, only the note at the top reports it.
  const { problem, attempt } = useProblem(() => hub.connection === 'open');
  const refresh = async () => {
    await attempt(async () => {
      const found = await read();
      setValue(() => found);
    });
  };
  useEffect(() => {
    void refresh();
    const timer = every(systemClock, refreshMs, () => {
      if (document.visibilityState === 'visible') void refresh();
    });
    return () => timer.cancel();
  }, [hub.epoch]);
  return { value, problem, refresh };
}
