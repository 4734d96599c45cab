import { expect, test } from 'vitest';
import { ProgressLine } from './progress-line.ts';

function screen(isTTY: boolean, columns = 80) {
  let text = '';
  const write = (more: string) => {
    text += more;
    return true;
  };
  return { isTTY, columns, write, text: () => text };
}

const halfway = { documents: 1500, bytes: 50_000_000, totalBytes: 100_000_000 };

test('progress is shown on one line, which is overwritten', () => {
  const terminal = screen(true);
  let now = 0;
  const line = new ProgressLine(terminal, () => now);
  now = 1000;
  line.show(halfway);
  expect(terminal.text()).toBe('\r\u{1b}[K[############............] 50%  50.0 MB of 100.0 MB  1,500 vCons, 1,500/s');
  line.print('calls.jsonl:7: not JSON');
  line.hide();
  expect(terminal.text().endsWith('1,500/s\r\u{1b}[Kcalls.jsonl:7: not JSON\n')).toBe(true);
});

test('progress is shown at a readable rate, and not wider than the screen', () => {
  const terminal = screen(true, 20);
  let now = 0;
  const line = new ProgressLine(terminal, () => now);
  line.show(halfway);
  now = 50;
  line.show(halfway);
  expect(terminal.text()).toHaveLength(4 + 19);
});

test.each([
  [{ documents: 3, bytes: 1_500_000, totalBytes: undefined }, '1.5 MB  3 vCons, 3/s'],
  [{ documents: 0, bytes: 0, totalBytes: 0 }, '[########################] 100%  0.0 MB of 0.0 MB  0 vCons, 0/s'],
  [{ documents: 1, bytes: 9, totalBytes: 4 }, '[########################] 100%  0.0 MB of 0.0 MB  1 vCons, 1/s'],
])('%o', (progress, shown) => {
  const terminal = screen(true);
  let now = 0;
  const line = new ProgressLine(terminal, () => now);
  now = 1000;
  line.show(progress);
  expect(terminal.text()).toBe(`\r\u{1b}[K${shown}`);
});

test('on a pipe, only final lines are printed', () => {
  const file = screen(false);
  const line = new ProgressLine(file);
  line.show(halfway);
  line.print('calls.jsonl:7: not JSON');
  line.hide();
  expect(file.text()).toBe('calls.jsonl:7: not JSON\n');
});
