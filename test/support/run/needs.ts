// Tests that need a program which a machine may lack. Without it they are skipped, with the reason and the command that
// installs it; where everything must run (CI), they fail.
import { describe } from 'vitest';

export interface Need {
  what: string;
  isThere: boolean;
  /** The command that installs it. */
  install: string;
}

/** `describe`, if the need is met. A skipped block has the reason in its name, where the reporter finds it. */
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
