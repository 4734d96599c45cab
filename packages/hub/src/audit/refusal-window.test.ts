import { FakeClock } from '@tidings/live/testing';
import { expect, it } from 'vitest';
import { RecordingAuditLog } from '../testing/recording-audit-log.ts';
import { RefusalWindow } from './refusal-window.ts';

it('writes a few refusals of an address one by one, and counts the rest', () => {
  const clock = new FakeClock();
  const audit = new RecordingAuditLog();
  const refusals = new RefusalWindow(audit, clock);
  const refuse = (address: string) =>
    refusals.record({ who: '-', address, method: 'GET /', outcome: 'refused', code: 'PERMISSION_DENIED' });
  for (let times = 0; times < 500; times += 1) refuse('192.0.2.7');
  refuse('192.0.2.8');
  expect(audit.entries).toHaveLength(11);
  clock.advance(60_000);
  expect(audit.entries.at(-1)).toMatchObject({ address: '192.0.2.7', code: 'REPEATED', count: 490 });
  refuse('192.0.2.7');
  expect(audit.entries.at(-1)).toMatchObject({ code: 'PERMISSION_DENIED' });
  refusals.close();
});

it('keeps a limited number of addresses', () => {
  const audit = new RecordingAuditLog();
  const refusals = new RefusalWindow(audit, new FakeClock());
  for (let host = 0; host < 5000; host += 1) {
    refusals.record({ who: '-', address: `10.0.${host >> 8}.${host & 255}`, method: 'GET /', outcome: 'refused' });
  }
  refusals.close();
  expect(audit.entries.length).toBeLessThan(1100);
  expect(audit.entries.at(-1)).toMatchObject({ address: 'others', count: 3990 });
});
