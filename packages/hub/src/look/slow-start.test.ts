import { FakeClock } from '@tidings/live/testing';
import { describe, expect, it } from 'vitest';
import { reportSlowStart } from './slow-start.ts';
import type { ServerTarget } from './target.ts';

const command: ServerTarget = { kind: 'command', command: 'node', args: ['server.js'] };

function waitingFor(target: ServerTarget, isTTY = true) {
  const clock = new FakeClock();
  const printed: string[] = [];
  const print = (text: string) => void printed.push(text);
  const answered = reportSlowStart({ target, clock, stderr: () => ['reading'], stream: { isTTY }, print });
  return { clock, printed, answered };
}

describe('a server that does not answer', () => {
  it('is said to be waited for after three seconds, with what it wrote on stderr', () => {
    const { clock, printed } = waitingFor(command);
    clock.advance(2999);
    expect(printed).toEqual([]);
    clock.advance(1);
    expect(printed).toEqual([
      'Waiting for "node server.js" to answer (30 s at most) …\nIt wrote on stderr:\n  reading',
    ]);
  });

  it('is not mentioned once it has answered, or without a terminal', () => {
    const { clock, printed, answered } = waitingFor(command);
    answered();
    clock.advance(3000);
    const piped = waitingFor(command, false);
    piped.clock.advance(3000);
    expect([...printed, ...piped.printed]).toEqual([]);
  });
});
