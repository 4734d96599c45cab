// The store's promises, on SQLite and PostgreSQL alike.
import type { TestedRequirement } from './requirement.ts';

const announcing = 'packages/store/src/testing/announcing-cases.ts';
const state = 'packages/store/src/testing/state-cases.ts';
const processes = 'test/load/store-processes.test.ts';

export const storeRequirements: readonly TestedRequirement[] = [
  {
    id: 'acknowledged-survives-kill',
    promise: 9,
    source: 'promise 9',
    text: 'An acknowledged write survives kill -9 of its process, complete and announced.',
    tests: [
      { file: processes, title: 'lose no acknowledged write in many kills' },
      { file: processes, title: 'lose no acknowledged write in 6 kills' },
    ],
  },
  {
    id: 'acknowledged-survives-power-cut',
    promise: 9,
    source: 'ARCHITECTURE.md, The store',
    text: 'On SQLite a write is acknowledged once it is on disk.',
    tests: [
      {
        file: 'packages/store/src/sqlite/sqlite-store.test.ts',
        title: 'acknowledges a write once the disk has it, with one flush for all waiting writes',
      },
      {
        file: 'packages/store/src/sqlite/sqlite-store.test.ts',
        title: 'does not acknowledge a write that the disk has not stored',
      },
    ],
  },
  {
    id: 'two-processes-one-folder',
    promise: 9,
    source: 'promise 9',
    text: 'Two processes write to one folder at once: nothing is lost, and each is notified of the other’s writes.',
    tests: [
      { file: processes, title: 'lose no write when two write at once, and notify each other' },
      { file: announcing, title: 'loses no change of two that write at once' },
    ],
  },
  {
    id: 'change-and-announcement-together',
    promise: 9,
    source: 'ARCHITECTURE.md, The store',
    text: 'A change and its announcement commit together, or neither does.',
    tests: [{ file: state, title: 'rolls back a failed transaction with its announcements' }],
  },
  {
    id: 'write-visible-when-acknowledged',
    promise: 9,
    source: 'promise 9',
    text: 'A write is acknowledged after its commit, not before.',
    tests: [{ file: state, title: 'reads a write only after its commit' }],
  },
  {
    id: 'import-survives-kill',
    promise: 9,
    source: 'promise 9',
    text: 'A killed import continues at its position and imports nothing twice.',
    tests: [{ file: 'test/vcon/import-crash.test.ts', title: 'loses nothing and does nothing twice' }],
  },
  {
    id: 'delivery-survives-kill',
    promise: 9,
    source: 'promise 9',
    text: 'A due notification whose process is killed during its delivery is delivered by the next process.',
    tests: [
      {
        file: 'test/schedules/embedded-crash.test.ts',
        title: 'delivers again, marked as repeated, after a process was killed during a delivery',
      },
    ],
  },
  {
    id: 'full-disk',
    promise: 9,
    source: 'promise 9',
    text: 'A write that does not fit on the disk is refused; earlier writes stay.',
    tests: [
      {
        file: 'test/store/disk.test.ts',
        title: 'refuses writes that do not fit, keeps earlier ones, and continues when there is space',
      },
    ],
  },
  {
    id: 'outbox-by-commit',
    promise: 1,
    source: 'ARCHITECTURE.md, The store',
    text: 'On PostgreSQL a slow transaction is announced after its commit, even if larger numbers were committed before.',
    tests: [
      {
        file: 'test/store/postgres.test.ts',
        title: 'delivers a slow transaction after its commit, though its number is smaller',
      },
    ],
  },
];
