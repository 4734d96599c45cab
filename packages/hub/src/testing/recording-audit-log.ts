// An audit log in memory, for tests.
import type { AuditEntry, AuditLog } from '../audit/audit-log.ts';

export class RecordingAuditLog implements AuditLog {
  readonly entries: AuditEntry[] = [];

  record(entry: AuditEntry): void {
    this.entries.push(entry);
  }

  async flush(): Promise<void> {}

  async close(): Promise<void> {}
}
