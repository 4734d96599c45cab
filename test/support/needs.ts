// Tests that need something a machine may not have. Without it they are skipped, with the reason and
// the command that brings it; where everything must run (CI), its absence is a failure.
import { describe } from 'vitest';

export interface Need {
  what: string;
  isThere: boolean;
  /** The command that installs it. */
  install: string;
}

/** `describe`, if the need is met. A skipped block says why in its name, where the reporter finds it. */
export function describeWith({ what, isThere, install }: Need, name: string, block: () => void): void {
  if (isThere) {
    describe(name, block);
  } else if (process.env['TIDINGS_TEST_ALL'] === '1') {
    describe(name, () => {
      throw new Error(`${what} is missing. Install it with: ${install}`);
    });
  } else {
    describe.skip(`${name} [needs ${what}: ${install}]`, block);
  }
}
