// Records a login at a server in the audit log, without the secrets that the address may contain.
import type { UrlEntry } from '@tidings/track';
import { recordCommand } from '../audit/record-command.ts';
import { withoutSecretsInUri } from '../base/without-secrets.ts';

export function recordLogin(data: string, method: 'server-login' | 'server-logout', entry: UrlEntry): Promise<void> {
  const [server, detail] = [entry.id, entry.url].map(withoutSecretsInUri);
  return recordCommand(data, { method, server, outcome: 'ok', detail });
}
