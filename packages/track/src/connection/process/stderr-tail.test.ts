import { FakeClock } from '@tidings/live/testing';
import { describe, expect, it } from 'vitest';
import { StderrTail } from './stderr-tail.ts';

function tailOf(text: string, pid = 1): StderrTail {
  const tail = new StderrTail(new FakeClock());
  for (const line of text.split('\n')) tail.add(line, pid);
  return tail;
}

describe('the reason of the end of a process', () => {
  it.each([
    [
      'the error of a Node program',
      `/srv/server.js:3
throw new TypeError("no key");
^

TypeError: no key
    at Object.<anonymous> (/srv/server.js:3:7)
    at node:internal/main/run_main_module:28:49

Node.js v20.20.2`,
      'TypeError: no key',
    ],
    [
      'an error with a code and fields',
      `Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'x'
    at packageResolve (node:internal/modules/esm/resolve:857:9) {
  code: 'ERR_MODULE_NOT_FOUND'
}

Node.js v22.1.0`,
      "Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'x'",
    ],
    [
      'the exception of a Python program',
      `Traceback (most recent call last):
  File "server.py", line 1, in <module>
    import mcp
ModuleNotFoundError: No module named 'mcp'`,
      "ModuleNotFoundError: No module named 'mcp'",
    ],
    [
      'a panic',
      "starting\nthread 'main' panicked at src/main.rs:4:5:\nno key",
      "thread 'main' panicked at src/main.rs:4:5:",
    ],
    ['a usage message', 'Usage: server <directory>\nNode.js v20.20.2', 'Usage: server <directory>'],
    ['one word', 'Killed', 'Killed'],
    ['the last of several errors', 'Error: first, handled\nready\nError: second', 'Error: second'],
  ])('is %s', (_, text, reason) => {
    expect(tailOf(text).reasonOf(1)).toBe(reason);
  });

  it('is unknown if the process wrote nothing, even if an earlier one did', () => {
    expect(tailOf('').reasonOf(1)).toBeUndefined();
    expect(tailOf('Error: no key', 1).reasonOf(2)).toBeUndefined();
  });
});

it('keeps the last 200 lines, none of them long', () => {
  const tail = tailOf(Array.from({ length: 500 }, (_, n) => `${n} ${'x'.repeat(5000)}`).join('\n'));
  expect(tail.lines).toHaveLength(200);
  expect(tail.lines[0]?.text).toMatch(/^300 x{996}$/);
});
