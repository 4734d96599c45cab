// Processes on several machines use PostgreSQL's clock, since a machine's own clock may be wrong.
import { FakeClock, eventually } from '@tidings/live/testing';
import { openStore } from '@tidings/store';
import { expect, it } from 'vitest';
import { openDatabaseClock } from '../../packages/schedules/src/source/embedded/database-clock.ts';
import { type ScheduleTables, migrations } from '../../packages/schedules/src/source/embedded/tables.ts';
import { describeWith } from '../support/run/needs.ts';
import { postgresNeed } from '../support/service/postgres.ts';
import { freshDatabase } from '../support/service/shared-postgres.ts';

const hourMs = 3_600_000;

describeWith(postgresNeed, 'the clock of schedules on PostgreSQL', () => {
  it('has the date of the database and the monotonic time of the machine', async () => {
    const store = await openStore<ScheduleTables>(await freshDatabase(), { name: 'schedules', migrations });
    const machine = new FakeClock(0);
    const clock = await openDatabaseClock(store, { warn: () => undefined, error: () => undefined }, machine);
    const opened = clock.date();
    expect(Math.abs(opened - Date.now())).toBeLessThan(hourMs);
    machine.jump(hourMs);
    expect(clock.date()).toBe(opened);
    machine.advance(5000);
    expect(clock.date()).toBe(opened + 5000);
    // Less time has passed in the database, so the next query corrects the date.
    machine.advance(2 * hourMs);
    await eventually('the date of the database', () => clock.date() < opened + hourMs);
    clock.close();
    await store.close();
  });
});
