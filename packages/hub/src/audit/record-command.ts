// Records in the audit log the commands that work on a data folder or database directly, without a hub.
import { userInfo } from 'node:os';
import { stderrLog, systemClock } from '@tidings/live';
import type { AuditEntry } from './audit-log.ts';
import { openAuditLog } from './open-audit.ts';

export function localUser(): string {
  try {
    return `cli:${userInfo().username}`;
  } catch {
    // A user without a name, as in some containers.
    return `cli:${process.getuid?.() ?? 'unknown'}`;
  }
}

export async function recordCommand(place: string, entry: Omit<AuditEntry, 'who'>): Promise<void> {
  const audit = await openAuditLog({ place, settings: () => undefined, clock: systemClock, log: stderrLog });
  audit.record({ who: localUser(), ...entry });
  await audit.close();
}
