// Refusals of unknown callers. An address that sends many must not displace other records from the audit log: each has
// a few records a minute, and one more that counts the rest.
import type { Clock } from '@tidings/live';
import { Later } from '@tidings/live/time';
import type { AuditEntry, AuditLog } from './audit-log.ts';

const windowMs = 60_000;
const linesPerAddress = 10;
const mostAddresses = 1000;

export class RefusalWindow {
  readonly #audit: AuditLog;
  readonly #counts = new Map<string, number>();
  readonly #end: Later;

  constructor(audit: AuditLog, clock: Clock) {
    this.#audit = audit;
    this.#end = new Later(clock, () => this.close());
  }

  record(entry: AuditEntry): void {
    const { address = '' } = entry;
    const key = this.#counts.has(address) || this.#counts.size < mostAddresses ? address : 'others';
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    if (count <= linesPerAddress) this.#audit.record(entry);
    this.#end.request(windowMs);
  }

  /** Ends the window: records the count of the rest. */
  close(): void {
    this.#end.cancel();
    for (const [address, total] of this.#counts) {
      const count = total - linesPerAddress;
      if (count <= 0) continue;
      const detail = 'More refusals within a minute than are written one by one.';
      this.#audit.record({ who: '-', address, method: 'any', outcome: 'refused', code: 'REPEATED', count, detail });
    }
    this.#counts.clear();
  }
}
