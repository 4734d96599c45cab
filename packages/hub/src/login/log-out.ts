// `tidings logout SERVER`: revokes and deletes the login at a server.
import { boundedFetch } from '@tidings/live/internal';
import { foregroundClock } from '@tidings/live/time';
import { type EndedLogin, FileLoginStore, endLogin, loginKey } from '@tidings/track/internal';
import { loginFolder } from '../setup/login-folder.ts';
import { Failure } from '../terminal/failure.ts';
import { printJson, printLine } from '../terminal/print-line.ts';
import { type LoginTargetSettings, loginTarget, shownAddress } from './login-target.ts';
import { recordLogin } from './record-login.ts';

/** The login is deleted here in any case, and the user waits. */
const revocationMs = 5000;

export interface LogOutSettings extends LoginTargetSettings {
  json?: boolean;
}

export async function logOut(server: string, settings: LogOutSettings): Promise<void> {
  const entry = await loginTarget(server, settings);
  const { id, url, oauth } = entry;
  const store = new FileLoginStore(loginFolder(settings.data), foregroundClock);
  const key = loginKey(url);
  const fetchFn = boundedFetch(fetch, foregroundClock, { withinMs: revocationMs });
  const { wasLoggedIn, revoked, reason } = await endLogin({ key, oauth, store, fetch: fetchFn });
  if (!wasLoggedIn) throw new Failure(`There is no login at ${id}.`);
  await recordLogin(settings.data, 'server-logout', entry);
  if (settings.json) return printJson({ server: id, url: shownAddress(entry), revoked });
  printLine(`Logged out of ${id}. ${fateOf({ revoked, reason })}`);
}

export function fateOf({
  revoked,
  reason = '',
}: Pick<EndedLogin, 'revoked'> & { reason?: string | undefined }): string {
  if (revoked === 'yes') return 'It was revoked.';
  if (revoked === 'no') return `It could not be revoked, and is only deleted here: ${reason}`;
  return 'The authorization server has no way to revoke it, so it is only deleted here.';
}
