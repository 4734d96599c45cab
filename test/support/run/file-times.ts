// Vitest's setup file: with TIDINGS_TEST_TIMES=FILE, appends the cost of each test file to FILE, one line of JSON each.
// CPU time is the figure to use on a busy machine; it includes child processes that have ended.
import { appendFileSync, readFileSync } from 'node:fs';
import { afterAll, expect } from 'vitest';

const { TIDINGS_TEST_TIMES: target } = process.env;

if (target !== undefined) {
  const before = cpuSeconds();
  const started = performance.now();
  afterAll(() => {
    const after = cpuSeconds();
    const { testPath } = expect.getState();
    const line = {
      file: testPath?.slice(process.cwd().length + 1),
      own: round(after.own - before.own),
      children: round(after.children - before.children),
      wall: round((performance.now() - started) / 1000),
    };
    appendFileSync(target, `${JSON.stringify(line)}\n`);
  });
}

function cpuSeconds(): { own: number; children: number } {
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
    .map(Number);
  const [user = 0, system = 0, childUser = 0, childSystem = 0] = fields.slice(11, 15);
  const ticks = 100;
  return { own: (user + system) / ticks, children: (childUser + childSystem) / ticks };
}

function round(seconds: number): number {
  return Math.round(seconds * 100) / 100;
}
