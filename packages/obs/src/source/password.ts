// Where the password for OBS comes from. It is read for each attempt and kept nowhere.
import { readFile } from 'node:fs/promises';
import { SessionRefused } from './obs-session.ts';

export interface PasswordSource {
  /** Throws SessionRefused if one is configured and cannot be read. */
  read(): Promise<string | undefined>;
  /** Whether a later read may give another one. */
  readonly canChange: boolean;
  /** What to do when OBS refuses it. */
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
        const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
        throw new SessionRefused(`The password file ${path} cannot be read (${reason}).`);
      }
    },
    canChange: true,
    advice: `Put what OBS shows under Tools, WebSocket Server Settings, into ${path}: it is looked at every few seconds.`,
  };
}
