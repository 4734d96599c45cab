// Resources and definitions whose names PostgreSQL does not take: characters, or lengths that do not fit into an index.
import { randomBytes } from 'node:crypto';
import { FakeClock } from '@tidings/live/testing';
import { openStore } from '@tidings/store';
import { expect, it } from 'vitest';
import { type ArchiveTables, migrations } from '../../packages/track/src/journal/archive-schema.ts';
import { Archive } from '../../packages/track/src/journal/archive.ts';
import { describeWith } from '../support/run/needs.ts';
import { postgresNeed } from '../support/service/postgres.ts';
import { freshDatabase } from '../support/service/shared-postgres.ts';

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
const owner = { server: 's', claim: undefined };

describeWith(postgresNeed, 'names that PostgreSQL does not take', () => {
  it.each([
    ['a NUL character', '\u0000'],
    ['half of a surrogate pair', '\ud800'],
    ['three thousand bytes', randomBytes(3000).toString('base64')],
  ])('leaves out a resource and a tool with %s, and stores everything else', async (_, text) => {
    const store = await openStore<ArchiveTables>(await freshDatabase(), { name: 'tracker', migrations, log });
    const archive = new Archive(
      { store, definitions: store },
      { clock: new FakeClock(), log, keep: 10, isShared: true },
    );
    const event = { type: 'gap' as const, timestamp: '2026-07-28T00:00:00.000Z' };
    archive.event({ cursor: 'a-1', event, json: JSON.stringify(event) });
    const state = { known: 'one', isListed: true };
    for (const uri of ['a://1', `a://${text}`, `a://${text.replaceAll('\ud800', '\ud801')}`, 'a://2']) {
      archive.resource({ server: 's', uri, state, claim: undefined });
    }
    archive.resource({ server: 's', uri: `b://${text}`, state: 'gone', claim: undefined });
    archive.definitions((definitions) => {
      definitions.sighted(owner, 'tool');
      for (const name of ['one', text]) definitions.remember(owner, { kind: 'tool', name }, { agreed: '', seen: '' });
      definitions.forget(owner, { kind: 'tool', name: `gone ${text}` });
    });
    await archive.flush();
    const { events, resources, definitions } = await archive.load();
    expect(events.map(({ cursor }) => cursor)).toEqual(['a-1']);
    expect([...(resources.get('s')?.keys() ?? [])].toSorted()).toEqual(['a://1', 'a://2']);
    expect(definitions.get('s')?.get('tool')?.has('one')).toBe(true);
    await archive.close();
    await store.close();
  });
});
