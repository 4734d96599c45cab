// Ends a run with the skipped tests and how to enable them, the seed of generated cases, and one line of totals.
import type { Reporter, TestModule, TestCase } from 'vitest/node';
import { testSeed } from './test-seed.ts';

const needPattern = /\[needs (.+?): (.+?)\]/;

export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const states = tests.map((test) => test.result().state);
    const count = (state: string) => states.filter((each) => each === state).length;
    // A file that could not be loaded has no tests, but is a failure.
    const broken = modules.filter((module) => module.errors().length > 0).length + unhandledErrors.length;
    const skipped = count('skipped');

    printSkipped(tests.filter((test) => test.result().state === 'skipped'));
    console.log(`Seed of generated cases: ${testSeed}`);
    console.log(
      `${count('passed')} passed, ${count('failed') + broken} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`,
    );
  }
}

function printSkipped(skipped: readonly TestCase[]): void {
  const byNeed = new Map<string, { install: string; count: number }>();
  for (const test of skipped) {
    const [, what, install] = needPattern.exec(test.fullName) ?? [];
    // A test without a need was left out by a filter on the command line.
    if (what === undefined || install === undefined) continue;
    const row = byNeed.get(what) ?? { install, count: 0 };
    row.count += 1;
    byNeed.set(what, row);
  }
  if (byNeed.size === 0) return;
  console.log('\nSkipped, because something is not on this machine or was left out (TIDINGS_TEST_WITHOUT):');
  for (const [what, { install, count }] of byNeed)
    console.log(`  ${String(count).padStart(4)}  ${what.padEnd(28)}  ${install}`);
  console.log();
}
