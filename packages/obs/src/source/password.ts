// The source of the password for OBS. It is read for each attempt, and not stored.
import { systemCode } from '@tidings/live/portable';
import { readFile } from 'node:fs/promises';
import { SessionRefused } from './obs-session.ts';

export interface PasswordSource {
  /** Throws SessionRefused if one is configured and cannot be read. */
  read(): Promise<string | undefined>;
  /** Whether a later read may return another password. */
  readonly canChange: boolean;
  /** What the user can do if OBS refuses it. */
  readonly advice: string;
}

export function givenPassword(password: string | undefined): PasswordSource {
  return {
    read: () => Promise.resolve(password),
    canChange: false,
    advice:
      'Set TIDINGS_OBS_PASSWORD or TIDINGS_OBS_PASSWORD_FILE to what OBS shows under Tools, WebSocket Server Settings, ' +
      'and start again; or change it in OBS and call reconnect_obs.',
  };
}

export function passwordInFile(path: string): PasswordSource {
  return {
    read: async () => {
      try {
        return (await readFile(path, 'utf8')).replace(/\r?\n$/, '');
      } catch (error) {
        const reason = systemCode(error) ?? 'unreadable';
        throw new SessionRefused(`The password file ${path} cannot be read (${reason}).`);
      }
    },
    canChange: true,
    advice: `Put what OBS shows under Tools, WebSocket Server Settings, into ${path}: it is looked at every few seconds.`,
  };
}
