// The source of the password for OBS. It is read for each attempt, and not stored.
import { systemCode } from '@tidings/live/portable';
import { readFile } from 'node:fs/promises';
import { PasswordRefused } from './obs-session.ts';

export interface PasswordSource {
  /** Throws PasswordRefused if one is configured and cannot be read. */
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
      'and start the server again; or change the password in OBS and call reconnect_obs.',
  };
}

export function passwordInFile(path: string): PasswordSource {
  return {
    read: async () => {
      try {
        return (await readFile(path, 'utf8')).replace(/\r?\n$/, '');
      } catch (error) {
        const reason = systemCode(error) ?? 'unreadable';
        throw new PasswordRefused(`The password file ${path} cannot be read (${reason}).`);
      }
    },
    canChange: true,
    advice: `Put what OBS shows under Tools, WebSocket Server Settings, into ${path}: the file is read every few seconds.`,
  };
}
