// For each promise of the three servers beside the kit's, a small way to break it, and the test that must fail.
import type { BrokenSources } from './broken-sources.ts';

const embedded = 'test/schedules/embedded-sqlite.test.ts';

export const schedulesSabotages: BrokenSources = {
  folder: 'packages/schedules',
  sabotages: [
    {
      name: 'does not record deliveries in the history',
      file: 'source/embedded/entries.ts',
      find: 'await record(writing, { topic, at, event: status,',
      replace: "if (status !== 'delivered') await record(writing, { topic, at, event: status,",
      test: embedded,
      title: 'records a delivered one-off in the history, and announces it',
    },
    {
      name: 'drops notifications that it could not deliver',
      file: 'source/embedded/dead-letters.ts',
      find: "await db.insertInto('dead_letter').values(row).execute();",
      replace: 'void row;',
      test: embedded,
      title: 'keeps notifications that a schedule could not deliver, and sends them again on request',
    },
    {
      name: 'does not announce dead letters',
      file: 'source/embedded/dead-letters.ts',
      find: '    .execute();\n  announce(deadLetterTopicOf(topic));',
      replace: '    .execute();',
      test: embedded,
      title: 'keeps notifications that a schedule could not deliver, and sends them again on request',
    },
  ],
};

export const vconSabotages: BrokenSources = {
  folder: 'packages/vcon',
  sabotages: [
    {
      name: 'reports every signature as valid',
      file: 'source/vcon-keys.ts',
      find: "return candidates.length > 0 ? 'invalid' : 'unknown key';",
      replace: "return 'valid';",
      test: 'test/vcon/signatures.test.ts',
      title: 'that was changed, or signed with another key, is stored and reported as invalid',
    },
    {
      name: 'accepts a public key as a shared secret',
      file: 'source/vcon-keys.ts',
      find: 'if (key.kty !== family) return false;',
      replace: '',
      test: 'test/vcon/signatures.test.ts',
      title: 'does not accept a public key as a shared secret',
    },
    {
      name: 'starts an interrupted import from the beginning',
      file: 'transfer/open-source.ts',
      find: 'position?.fingerprint === fingerprint ?',
      replace: 'position?.fingerprint === undefined && position ?',
      test: 'test/vcon/import-resume.test.ts',
      title: 'continues after its last line, with correct line numbers',
    },
    {
      name: 'signs webhooks without their content',
      file: 'source/webhook-sender.ts',
      find: 'webhookHeaders({ id, at: clock.date(), body }',
      replace: "webhookHeaders({ id, at: clock.date(), body: '' }",
      test: 'test/vcon/webhooks.test.ts',
      title: 'report created, changed and deleted vCons, signed',
    },
    {
      name: 'sends webhooks from every process',
      file: 'source/webhook-turns.ts',
      find: "eb('owner_until', '<=', now),",
      replace: "eb('owner_until', '>=', 0),",
      test: 'test/vcon/webhooks.test.ts',
      title: 'are sent once by any number of processes, and by another one when a process is closed',
    },
    {
      name: 'treats two different documents as the same',
      file: 'model/digest.ts',
      find: 'sortedJson(document)',
      replace: 'sortedJson({ ...document, subject: undefined })',
      test: 'test/vcon/import.test.ts',
      title: 'keeps existing vCons with other content, or replaces them',
    },
  ],
};

export const obsSabotages: BrokenSources = {
  folder: 'packages/obs',
  sabotages: [
    {
      name: 'does not announce that OBS is disconnected',
      file: 'obs-server.ts',
      find: "connection.state === 'connected' ? '' : awayMessage(connection)",
      replace: "''",
      test: 'test/hub/obs-away.test.ts',
      title: 'the loss and the return of OBS appear in the list of servers and in the journal',
    },
    {
      name: 'reports everything as removed when OBS exits',
      file: 'source/held-removals.ts',
      find: 'if (!this.isActive) return false;',
      replace: 'return false;',
      test: 'test/obs/log.test.ts',
      title: 'logs a lost OBS as a warning and its return; an exit announces no removals',
    },
    {
      name: 'keeps frequent events of OBS on without watchers',
      file: 'source/event-interest.ts',
      find: 'if (count === 0) this.#counts.delete(bit);',
      replace: 'if (count < 0) this.#counts.delete(bit);',
      test: 'test/obs/connection.test.ts',
      title: 'levels and transforms are requested from OBS only while watched, also after a reconnection',
    },
  ],
};
