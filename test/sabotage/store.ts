// For each promise of the store, a small way to break it, and the test that must fail.
import type { BrokenSources } from './broken-sources.ts';

const test = 'packages/store/src/sqlite/sqlite-store.test.ts';

export const storeSabotages: BrokenSources = {
  folder: 'packages/store',
  sabotages: [
    {
      name: 'acknowledges a write before its commit',
      file: 'sqlite/dialect.ts',
      find: "CompiledQuery.raw('commit')",
      replace: "CompiledQuery.raw('rollback')",
      test,
      title: 'reads a write only after its commit',
    },
    {
      name: 'acknowledges a write that is not flushed to the disk',
      file: 'sqlite/sqlite-store.ts',
      find: 'await this.#flushed();',
      replace: 'void this.#flushed();',
      test,
      title: 'acknowledges a write once the disk has it, with one flush for all waiting writes',
    },
    {
      name: 'commits a change without its announcement',
      file: 'run-work.ts',
      find: 'if (topics.size > 0) await publish(',
      replace: 'if (topics.size > 1) await publish(',
      test,
      title: 'delivers changes to every store at the same place, in the order of commits',
    },
    {
      name: 'keeps the changes of a failed write',
      file: 'sqlite/dialect.ts',
      find: "CompiledQuery.raw('rollback')",
      replace: "CompiledQuery.raw('commit')",
      test,
      title: 'rolls back a failed transaction with its announcements',
    },
  ],
};
