// Opens the audit log for writing or reading, in a data folder or at a postgres:// URL.
import type { Clock, Log } from '@tidings/live';
import type { Config } from '@tidings/track';
import { type AuditLog, type AuditTrail } from './audit-log.ts';
import { BufferedAuditLog } from './buffered-audit-log.ts';
import { FileAuditSink, FileAuditTrail } from './file-audit.ts';
import { PostgresAuditSink, PostgresAuditTrail } from './postgres-audit.ts';
import { isDatabase } from '../base/data-place.ts';

interface AuditOptions {
  place: string;
  /** Returns the settings of the current configuration. */
  settings: () => Config['audit'];
  clock: Clock;
  log: Log;
}

export async function openAuditLog({ place, settings, clock, log }: AuditOptions): Promise<AuditLog> {
  const kept = () => settings() || { megabytes: 10, files: 10, rows: 1_000_000 };
  const sink = isDatabase(place)
    ? await PostgresAuditSink.open({ url: place, clock, log }, () => kept().rows)
    : new FileAuditSink(place, () => ({ bytesPerFile: kept().megabytes * 1_000_000, files: kept().files }), clock);
  const buffered = new BufferedAuditLog({ sink, clock, log });
  return {
    record: (entry) => {
      if (settings() !== false) buffered.record(entry);
    },
    flush: () => buffered.flush(),
    close: () => buffered.close(),
  };
}

export async function openAuditTrail({ place, clock, log }: Omit<AuditOptions, 'settings'>): Promise<AuditTrail> {
  return isDatabase(place) ? PostgresAuditTrail.open({ url: place, clock, log }) : new FileAuditTrail(place);
}
