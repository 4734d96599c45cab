import { FakeClock } from '@tidings/live/testing';
import { describe, expect, it } from 'vitest';
import { ResourceRecord } from './resource-record.ts';
import { PendingConfirmations } from './pending-confirmations.ts';

class Setting {
  readonly clock = new FakeClock();
  heardAt = 0;
  readonly settled: string[] = [];
  readonly confirmations = new PendingConfirmations({
    clock: this.clock,
    heardAt: () => this.heardAt,
    settled: ({ uri }) => void this.settled.push(uri),
  });

  /** A record that was confirmed now. */
  confirmed(uri: string, remembered?: { known: string; isListed: boolean }): ResourceRecord {
    const record = new ResourceRecord(uri, remembered);
    this.confirmations.add(record, this.clock.now());
    return record;
  }
}

describe('a confirmation', () => {
  it('counts at once if notifications have arrived since', () => {
    const { clock, confirmations, settled } = Object.assign(new Setting(), { heardAt: Infinity });
    confirmations.add(new ResourceRecord('note://a'), clock.now());
    expect(settled).toEqual(['note://a']);
  });

  it('counts once notifications have arrived after it, and those after it later', () => {
    const setting = new Setting();
    const first = setting.confirmed('note://a');
    setting.clock.advance(100);
    setting.confirmed('note://b');
    setting.clock.advance(1000);
    expect(setting.settled).toEqual([]);
    setting.heardAt = (first.settlesAt ?? 0) + 50;
    setting.clock.advance(250);
    expect(setting.settled).toEqual(['note://a']);
    expect(first.settlesAt).toBeUndefined();
    setting.heardAt = Infinity;
    setting.clock.advance(250);
    expect(setting.settled).toEqual(['note://a', 'note://b']);
  });

  it('counts after a minute, in which a dead stream would have been noticed', () => {
    const setting = new Setting();
    setting.confirmed('note://a');
    setting.heardAt = -1;
    setting.clock.advance(59_000);
    expect(setting.settled).toEqual([]);
    setting.clock.advance(1500);
    expect(setting.settled).toEqual(['note://a']);
  });

  it('does not count if notifications may have been lost meanwhile', () => {
    const setting = new Setting();
    const [told, untold] = [
      setting.confirmed('note://a', { known: 'hash', isListed: true }),
      setting.confirmed('note://b'),
    ];
    setting.confirmations.lose(told);
    setting.confirmations.lose(untold);
    expect(told.journal.known).toBeNull();
    expect(untold.isUncertain).toBe(true);
    setting.heardAt = Infinity;
    setting.clock.advance(1000);
    expect(setting.settled).toEqual([]);
  });

  it('survives once it has settled', () => {
    const setting = new Setting();
    const record = setting.confirmed('note://a', { known: 'hash', isListed: true });
    setting.heardAt = Infinity;
    setting.clock.advance(250);
    setting.confirmations.lose(record);
    expect(record.journal.known).toBe('hash');
  });

  it('is forgotten when all are cleared', () => {
    const setting = new Setting();
    setting.confirmed('note://a');
    setting.confirmations.clear();
    setting.heardAt = Infinity;
    setting.clock.advance(1000);
    expect(setting.settled).toEqual([]);
  });
});
