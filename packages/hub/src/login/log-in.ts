// `tidings login SERVER`: logs in to a server, in the user's browser, and stores the login where a hub finds it.
import { createInterface } from 'node:readline';
import { foregroundClock, withTimeout } from '@tidings/live/time';
import type { StoredLogin, UrlEntry } from '@tidings/track';
import {
  FileLoginStore,
  LoginFlow,
  LoginRefused,
  answerProblem,
  boundedFetch,
  loginChallenge,
  loginKey,
  quotedLine,
} from '@tidings/track/internal';
import { parsedUrl } from '@tidings/live/parsed-url';
import { connectionFailure } from '../look/connection-failure.ts';
import { StderrLines } from '../look/stderr-lines.ts';
import { loginFolder } from '../setup/login-folder.ts';
import { Failure } from '../terminal/failure.ts';
import { aborted, interruption } from '../terminal/interruption.ts';
import { openInBrowser } from '../terminal/open-in-browser.ts';
import { printError, printJson, printLine } from '../terminal/print-line.ts';
import { callbackServer } from './callback-server.ts';
import { type LoginTargetSettings, loginTarget, shownAddress } from './login-target.ts';
import { recordLogin } from './record-login.ts';

export interface LogInSettings extends LoginTargetSettings {
  scope?: string;
  /** False to print the address and open no browser. */
  browser: boolean;
  /** Port of the callback. Default: that of the last login, or any. */
  port?: number;
  timeout: number;
  json?: boolean;
}

export async function logIn(server: string, settings: LogInSettings): Promise<void> {
  const signal = interruption();
  const entry = await loginTarget(server, settings);
  const challenge = await challengeOf(entry, signal);
  const key = loginKey(entry.url);
  const store = new FileLoginStore(loginFolder(settings.data), foregroundClock);
  const before = await store.read(key);
  const arrived = new Deferred<URLSearchParams>();
  const outcome = new Deferred<StoredLogin>();
  let flow: LoginFlow | undefined;
  const callback = await callbackServer(portsOf(settings, before?.redirectUri), async (parameters) => {
    if (flow?.isOurs(parameters) !== true)
      return { status: 400, words: 'This is not the login that was started here.' };
    arrived.resolve(parameters);
    return outcome.promise.then(
      () => ({ status: 200, words: 'You are logged in. This window can be closed.' }),
      () => ({ status: 400, words: 'The login has failed. The terminal in which it was started says why.' }),
    );
  });
  const lines = createInterface({ input: process.stdin });
  try {
    const { redirectUri } = callback;
    const fetchFn = boundedFetch(fetch, foregroundClock, { signal });
    const { oauth } = entry;
    const { scope } = settings;
    flow = await LoginFlow.begin({
      key,
      oauth,
      challenge,
      scope,
      redirectUri,
      store,
      fetch: fetchFn,
      clock: foregroundClock,
    });
    await show(await flow.start(), settings);
    const ours = flow;
    lines.on('line', (line) => take(line, ours, arrived.resolve));
    const late = () => new Failure(`The login was not completed within ${settings.timeout} s. Run the command again.`);
    const interrupted = aborted(signal).then(() => Promise.reject(new Failure('Interrupted.')));
    const parameters = await withTimeout(
      foregroundClock,
      settings.timeout * 1000,
      Promise.race([arrived.promise, interrupted]),
      late,
    );
    const login = await flow.finish(parameters);
    outcome.resolve(login);
    await recordLogin(settings.data, 'server-login', entry);
    report(entry, login, settings.json);
  } catch (error) {
    outcome.reject(error);
    throw signal.aborted ? new Failure('Interrupted.') : inWords(error);
  } finally {
    lines.close();
    await callback.close();
  }
}

async function challengeOf(entry: UrlEntry, signal: AbortSignal) {
  const log = new StderrLines();
  const challenge = await loginChallenge(entry, { signal, log }).catch((error: unknown) => {
    throw connectionFailure(error, { kind: 'server', url: new URL(entry.url) });
  });
  if (challenge) return challenge;
  throw new Failure(`${entry.id} can be used without a login.`);
}

function portsOf({ port }: LogInSettings, redirectUri: string | undefined): number[] {
  if (port !== undefined) return [port];
  const last = redirectUri === undefined ? undefined : parsedUrl(redirectUri)?.port;
  return [...(last ? [Number(last)] : []), 0];
}

async function show(address: URL, { browser }: LogInSettings): Promise<void> {
  const isOpened = browser && (await openInBrowser(address.href));
  printError(
    `${isOpened ? 'Log in in your browser. If no window has opened, open' : 'Open'} this address:\n\n  ${address.href}\n`,
  );
  if (!isOpened)
    printError(
      'If the browser is on another machine, paste here the address that it shows at the end. It begins with http://127.0.0.1.',
    );
}

/** A promise with its `resolve` and `reject`. */
class Deferred<T> {
  resolve: (value: T) => void = () => undefined;
  reject: (error: unknown) => void = () => undefined;
  readonly promise = new Promise<T>((resolve, reject) => {
    this.resolve = resolve;
    this.reject = reject;
  });

  constructor() {
    // Without a waiting caller, a rejection would end the process.
    this.promise.catch(() => undefined);
  }
}

/** Handles a pasted callback: its whole address, or the part after the question mark. */
function take(line: string, flow: LoginFlow, resolve: (callback: URLSearchParams) => void): void {
  const text = line.trim();
  if (text === '') return;
  const parameters = parsedUrl(text)?.searchParams ?? new URLSearchParams(text.replace(/^.*\?/, ''));
  if (flow.isOurs(parameters)) resolve(parameters);
  else printError('This is not the address of the login that was started here.');
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

/** Quotes the error of the authorization server. */
function inWords(error: unknown): unknown {
  if (error instanceof Failure || !(error instanceof Error)) return error;
  if (error instanceof LoginRefused) return new Failure(error.message);
  return new Failure(`The login has failed: ${quotedLine(answerProblem(error).message)}`);
}
