import { expect, it, vi } from 'vitest';
import { stderrLog, unfailing } from './log.ts';

it('the log writes any value', () => {
  const written = vi.spyOn(console, 'error').mockReturnValue();
  const circular: { self?: unknown; big: bigint } = { big: 1n };
  circular.self = circular;
  stderrLog.error({ circular }, 'odd');
  unfailing({
    warn: () => undefined,
    error: () => {
      throw new Error('the log is full');
    },
  }).error({ uri: 'a://x' }, 'lost?');
  const lines = written.mock.calls.map(([line]) => String(line));
  written.mockRestore();
  expect(lines[0]).toContain('error: odd circular=');
  expect(lines[1]).toContain('error: lost? uri=a://x logFailure=');
});
