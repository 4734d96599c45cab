// Records a login at a server in the audit log. The address of a server may have a key in it.
import type { UrlEntry } from '@tidings/track';
import { recordCommand } from '../audit/record-command.ts';
import { withoutSecretsInUri } from '../base/without-secrets.ts';

export function recordLogin(data: string, method: 'server-login' | 'server-logout', entry: UrlEntry): Promise<void> {
  const [server, detail] = [entry.id, entry.url].map(withoutSecretsInUri);
  return recordCommand(data, { method, server, outcome: 'ok', detail });
}
