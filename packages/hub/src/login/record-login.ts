// Records a login at a server in the audit log.
import type { UrlEntry } from '@tidings/track';
import { recordCommand } from '../audit/record-command.ts';
import { shownAddress } from './login-target.ts';

export function recordLogin(data: string, method: 'server-login' | 'server-logout', entry: UrlEntry): Promise<void> {
  return recordCommand(data, { method, server: entry.id, outcome: 'ok', detail: shownAddress(entry) });
}
