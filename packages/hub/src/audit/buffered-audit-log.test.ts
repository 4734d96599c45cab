import { FakeClock } from '@tidings/live/testing';
import { beforeEach, expect, it } from 'vitest';
import type { AuditEntry, AuditRecord } from './audit-log.ts';
import { type AuditSink, BufferedAuditLog } from './buffered-audit-log.ts';

class MemorySink implements AuditSink {
  readonly batches: AuditRecord[][] = [];
  isFull = false;
  isClosed = false;

  /** Called while a batch is being written. */
  meanwhile: () => void = () => undefined;

  async append(records: readonly AuditRecord[]): Promise<void> {
    if (this.isFull) throw new Error('ENOSPC');
    this.batches.push([...records]);
    this.meanwhile();
  }

  async close(): Promise<void> {
    this.isClosed = true;
  }

  get uris(): (string | undefined)[] {
    return this.batches.flat().map(({ uri, code }) => uri ?? code);
  }
}

let clock: FakeClock;
let sink: MemorySink;
let said: string[];
let audit: BufferedAuditLog;

beforeEach(() => {
  clock = new FakeClock();
  sink = new MemorySink();
  said = [];
  const note = (_: object, message: string) => said.push(message);
  audit = new BufferedAuditLog({ sink, clock, log: { warn: note, error: note }, capacity: 5 });
});

const entry = (uri: string): AuditEntry => ({ who: 'me', method: 'resources/read', uri, outcome: 'ok' });
/** Lets pending work finish. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

it('writes records after a short delay, in one batch, in order', async () => {
  audit.record(entry('a'));
  audit.record(entry('b'));
  expect(sink.batches).toEqual([]);
  clock.advance(200);
  await settle();
  expect(sink.batches).toHaveLength(1);
  expect(sink.uris).toEqual(['a', 'b']);
  expect(sink.batches[0]?.[0]?.time).toMatch(/^\d{4}-.*Z$/);
});

it('writes records that arrive during a write after the delay, so that batches under load are large', async () => {
  sink.meanwhile = () => {
    if (sink.batches.length > 1) return;
    audit.record(entry('b'));
    audit.record(entry('c'));
  };
  audit.record(entry('a'));
  clock.advance(200);
  await settle();
  expect(sink.uris).toEqual(['a']);
  clock.advance(200);
  await settle();
  expect(sink.batches.map(({ length }) => length)).toEqual([1, 2]);
});

it('writes the rest when it is closed, and no later records', async () => {
  audit.record(entry('a'));
  await audit.close();
  audit.record(entry('b'));
  expect(sink.uris).toEqual(['a']);
  expect(sink.isClosed).toBe(true);
});

it('keeps records after a failed write, reports the failure once, and writes them later', async () => {
  sink.isFull = true;
  audit.record(entry('a'));
  for (let attempt = 0; attempt < 3; attempt += 1) {
    clock.advance(1000);
    await settle();
  }
  expect(said).toEqual(['The audit log could not be written; trying again.']);
  sink.isFull = false;
  clock.advance(1000);
  await settle();
  expect(sink.uris).toEqual(['a']);
  expect(said.at(-1)).toBe('The audit log can be written again.');
});

it('keeps a limited number of records, and records the number of missing ones', async () => {
  sink.isFull = true;
  for (let index = 0; index < 12; index += 1) audit.record(entry(String(index)));
  expect(said).toEqual(['The audit log does not keep up: records are being dropped.']);
  sink.isFull = false;
  await audit.flush();
  expect(sink.uris).toEqual(['0', '1', '2', '3', '4', 'RECORDS_LOST']);
  expect(sink.batches.flat().at(-1)).toMatchObject({ count: 7, outcome: 'error' });
});

it('counts a long record as several, in memory and per batch', async () => {
  const long: AuditEntry = { ...entry('a'), uris: Array.from({ length: 4 }, () => 'x'.repeat(1000)) };
  sink.isFull = true;
  for (let index = 0; index < 12; index += 1) audit.record(long);
  sink.isFull = false;
  await audit.flush();
  expect(sink.batches.flat()).toHaveLength(2);
  expect(sink.batches.flat().at(-1)).toMatchObject({ code: 'RECORDS_LOST', count: 11 });
  const large = new BufferedAuditLog({ sink, clock, log: { warn: () => undefined, error: () => undefined } });
  for (let index = 0; index < 1000; index += 1) large.record(long);
  await large.flush();
  expect(sink.batches.slice(2).map(({ length }) => length)).toEqual(Array.from({ length: 5 }, () => 200));
});

it('reports that the last records could not be written', async () => {
  sink.isFull = true;
  audit.record(entry('a'));
  await audit.close();
  expect(said.at(-1)).toBe('The end of the audit log could not be written.');
});
