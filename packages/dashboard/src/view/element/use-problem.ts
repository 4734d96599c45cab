// The error message of the last attempt, to be shown beside the control that made the attempt.
import { messageOf } from '@tidings/live/portable';
import { useState } from 'preact/hooks';

interface Problem {
  /** Empty after an attempt that succeeded. */
  problem: string;
  /** Resolves with whether it succeeded. */
  attempt(this: void, work: () => unknown): Promise<boolean>;
}

/** `isShown` returns whether a failure is to be shown. */
export function useProblem(isShown: () => boolean = () => true): Problem {
  const [problem, setProblem] = useState('');
  const attempt = async (work: () => unknown) => {
    try {
      await work();
      setProblem('');
      return true;
    } catch (error) {
      if (isShown()) setProblem(messageOf(error));
      return false;
    }
  };
  return { problem, attempt };
}
