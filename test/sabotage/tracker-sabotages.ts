// The same for the tracker: for each of its promises, a small way to break it in the source, and the test
// that must turn red.

export interface TrackerSabotage {
  /** The tracker, so broken, … */
  name: string;
  /** File of packages/track/src, and what is replaced in it. */
  file: string;
  find: string;
  replace: string;
  /** Of packages/track/src where the test is beside the code, of test/track otherwise. */
  test: string;
  title: string;
}

export const trackerSabotages: readonly TrackerSabotage[] = [
  {
    name: 'drops what follows within the window',
    file: 'journal/update-window.ts',
    find: 'if (isRepetition) this',
    replace: 'if (second) this',
    test: 'src/followed-resources.model.test.ts',
    title: 'never leaves a reader with old content (ttlMs 0)',
  },
  {
    name: 'does not ask when the last read was completed',
    file: 'journal/update-window.ts',
    find: 'second.readBefore === hash &&',
    replace: '',
    test: 'src/journal/update-window.test.ts',
    title: 'are two events when no read was completed before the second one came',
  },
  {
    name: 'does not ask what readers were given',
    file: 'journal/update-window.ts',
    find: '[...window.served].every((given) => given === hash)',
    replace: 'true',
    test: 'src/journal/update-window.test.ts',
    title: 'are two events when a reader was given something else since the first event',
  },
  {
    name: 'keeps a read that an update has overtaken',
    file: 'mirror/mirror.ts',
    find: 'if (version === this.#versionOf(uri)) this.#keep(',
    replace: 'this.#keep(',
    test: 'src/mirror/mirror.test.ts',
    title: 'that was under way during an invalidation is not kept',
  },
  {
    name: 'announces before it invalidates',
    file: 'followed-resources.ts',
    find: 'this.#mirror.invalidate(uri);\n    if (this.#tell(uri) && this.#isWorthReading(uri)) this.#looks.request(uri);',
    replace: 'if (this.#tell(uri)) this.#looks.request(uri);\n    this.#mirror.invalidate(uri);',
    test: 'src/followed-resources.model.test.ts',
    title: 'gives nobody who is told what was there before',
  },
  {
    name: 'closes a stream before its successor is acknowledged',
    file: 'subscription/modern-subscriptions.ts',
    find: 'const { streams, refusals } = await',
    replace:
      'if (!extendsOld) for (const { subscription } of this.#streams) void subscription.close();\n    const { streams, refusals } = await',
    test: 'src/subscription/modern-subscriptions.test.ts',
    title: 'are replaced by a new one that is acknowledged before the old ones are closed',
  },
  {
    name: 'does not hear a replaced stream out',
    file: 'subscription/modern-subscriptions.ts',
    find: 'const lingerMs = 3000;',
    replace: 'const lingerMs = 0;',
    test: 'src/subscription/modern-subscriptions.test.ts',
    title: 'are replaced by a new one that is acknowledged before the old ones are closed',
  },
  {
    name: 'forgets that the list changed while it was being read',
    file: 'subscription/catalog-keeper.ts',
    find: 'this.#catalog = await listCatalog(client);',
    replace: 'this.#catalog = await listCatalog(client);\n      this.#isOld = false;',
    test: 'test/track/defects.test.ts',
    title: 'does not drop a change of the list that comes during a refresh',
  },
  {
    name: 'announces everything after a gap',
    file: 'mirror/healing.ts',
    find: 'found.hash !== before)',
    replace: 'true)',
    test: 'test/track/faults.test.ts',
    title: 'is killed, and changes while it is away',
  },
  {
    name: 'takes what one client read for what all were told',
    file: 'mirror/mirror.ts',
    find: "if (typeof known !== 'string') return",
    replace: 'if (true) return',
    test: 'src/followed-resources.model.test.ts',
    title: 'finds what nobody tells of, whoever else reads meanwhile (poll)',
  },
  {
    name: 'writes to a reader that takes nothing',
    file: 'stream/stream-reader.ts',
    find: '&& !this.#res.writableNeedDrain',
    replace: '',
    test: 'test/track/stream.test.ts',
    title: 'gets the latest of each resource when it reads on',
  },
  {
    name: 'does not say that a cursor is gone',
    file: 'stream/stream-reader.ts',
    find: 'this.#hasGap = place === undefined;',
    replace: 'this.#hasGap = false;',
    test: 'test/track/restart.test.ts',
    title: 'says that there is a gap when asked for what is gone',
  },
  {
    name: 'waits for ever on a dead stream',
    file: 'connection/stream-pulse.ts',
    find: 'else body.end();',
    replace: '',
    test: 'src/connection/stream-pulse.test.ts',
    title: 'that had a pulse and misses three beats is ended',
  },
  {
    name: 'journals every failure of a crash loop',
    file: 'upstream-reports.ts',
    find: 'isMilestone(failures);\n  }',
    replace: 'true;\n  }',
    test: 'test/track/faults.test.ts',
    title: 'is away for long, and the journal has room for others',
  },
  {
    name: 'leaves its sessions to the server',
    file: 'connection/open-session.ts',
    find: 'await endSession(transport, clock);',
    replace: '',
    test: 'test/track/http-faults.test.ts',
    title: 'is left without a session or stream behind',
  },
  {
    name: 'ties every request to the signal of the session',
    file: 'connection/http-transport.ts',
    find: 'if (isListening ||',
    replace: 'if (true ||',
    test: 'src/connection/http-transport.test.ts',
    title: 'ties no request to a signal that lives as long as the session',
  },
];
