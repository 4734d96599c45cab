// Data without events: read when a view opens, and every two seconds while the page is visible.
import { messageOf } from '@tidings/live/portable';
import { every, systemClock } from '@tidings/live/time';
import { useEffect, useState } from 'preact/hooks';
import type { HubState } from '../../state/hub-state.ts';

const refreshMs = 2000;

interface Polled<T> {
  /** Undefined until it was read once. */
  value: T | undefined;
  problem: string;
  refresh(this: void): Promise<void>;
}

export function usePolled<T>(hub: HubState, read: () => Promise<T>): Polled<T> {
  const [value, setValue] = useState<T>();
  const [problem, setProblem] = useState('');
  const refresh = async () => {
    try {
      const found = await read();
      setValue(() => found);
      setProblem('');
    } catch (error) {
      // While the hub is unreachable, the note at the top says so.
      if (hub.connection === 'open') setProblem(messageOf(error));
    }
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
