// `tidings login SERVER`: logs in to a server, in the user's browser, and stores the login where a hub finds it.
import { boundedFetch } from '@tidings/live/internal';
import { foregroundClock } from '@tidings/live/time';
import type { StoredLogin, UrlEntry } from '@tidings/track';
import { FileLoginStore, LoginFlow, loginChallenge, loginKey } from '@tidings/track/internal';
import { connectionFailure } from '../look/connection-failure.ts';
import { StderrLines } from '../look/stderr-lines.ts';
import { loginFolder } from '../setup/login-folder.ts';
import { Failure } from '../terminal/failure.ts';
import { interruption } from '../terminal/interruption.ts';
import { printJson, printLine } from '../terminal/print-line.ts';
import { type BrowserSettings, logInInBrowser } from './in-browser.ts';
import { type LoginTargetSettings, loginTarget, shownAddress } from './login-target.ts';
import { recordLogin } from './record-login.ts';

export interface LogInSettings extends LoginTargetSettings, BrowserSettings {
  scope?: string;
  json?: boolean;
}

export async function logIn(server: string, settings: LogInSettings): Promise<void> {
  const signal = interruption();
  const entry = await loginTarget(server, settings);
  const challenge = await challengeOf(entry, signal);
  const { url, oauth } = entry;
  const key = loginKey(url);
  const store = new FileLoginStore(loginFolder(settings.data), foregroundClock);
  const before = await store.read(key);
  const login = await logInInBrowser(settings, {
    lastRedirectUri: before?.redirectUri,
    signal,
    begin: async (redirectUri) => {
      const { scope } = settings;
      const fetchFn = boundedFetch(fetch, foregroundClock, { signal });
      const deps = { url, key, oauth, challenge, scope, redirectUri, store, fetch: fetchFn, clock: foregroundClock };
      const flow = await LoginFlow.begin(deps);
      const address = await flow.start();
      return { address, isOurs: (callback) => flow.isOurs(callback), finish: (callback) => flow.finish(callback) };
    },
  });
  await recordLogin(settings.data, 'server-login', entry);
  report(entry, login, settings.json);
}

async function challengeOf(entry: UrlEntry, signal: AbortSignal) {
  const log = new StderrLines();
  const challenge = await loginChallenge(entry, { signal, log }).catch((error: unknown) => {
    throw connectionFailure(error, { kind: 'server', url: new URL(entry.url) });
  });
  if (challenge) return challenge;
  throw new Failure(`${entry.id} can be used without a login.`);
}

function report(entry: UrlEntry, { tokens }: StoredLogin, json = false): void {
  const { id } = entry;
  const expires = tokens?.expiresAt === undefined ? undefined : new Date(tokens.expiresAt).toISOString();
  const { issuer, scope, refreshToken } = tokens ?? {};
  if (json)
    printJson({ server: id, url: shownAddress(entry), issuer, scope, expires, renews: refreshToken !== undefined });
  else {
    const until = refreshToken === undefined && expires !== undefined ? ` until ${expires}` : '';
    printLine(`Logged in to ${id}${until}. A hub that is running connects to it within a second.`);
  }
}
