// The load of ../load/vcon-readers.test.ts with five times the clients, for the requested duration.
import { expect, it } from 'vitest';
import { loadVcons } from '../vcon/load.ts';
import { soakSeconds, soakTimeoutMs } from './soak-time.ts';

it(
  '1000 readers and 100 writers',
  async () => {
    const report = await loadVcons({ readers: 1000, writers: 100, seconds: soakSeconds });
    console.log(report);
    expect(report.problems).toEqual([]);
    expect(report.writes).toBeGreaterThanOrEqual(100);
  },
  soakTimeoutMs,
);
