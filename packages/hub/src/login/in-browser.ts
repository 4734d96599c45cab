// The part of a login that happens in the user's browser: shows the address, and waits for the callback on this machine, or
// for its address as the user pastes it.
import { createInterface } from 'node:readline';
import { parsedUrl } from '@tidings/live/portable';
import { foregroundClock, withTimeout } from '@tidings/live/time';
import { LoginRefused, answerProblem, quotedLine } from '@tidings/track/internal';
import { Failure } from '../terminal/failure.ts';
import { aborted } from '../terminal/interruption.ts';
import { openInBrowser } from '../terminal/open-in-browser.ts';
import { printError } from '../terminal/print-line.ts';
import { callbackServer } from './callback-server.ts';

export interface BrowserSettings {
  /** False to print the address and open no browser. */
  browser: boolean;
  /** Port of the callback. Default: that of the last login, or any. */
  port?: number;
  timeout: number;
}

/** A login that has begun. */
interface StartedLogin<Login> {
  readonly address: URL;
  /** Whether a callback belongs to this login: any program on this machine can send one. */
  isOurs(this: void, callback: URLSearchParams): boolean;
  /** Exchanges the code of the callback. */
  finish(this: void, callback: URLSearchParams): Promise<Login>;
}

export interface BrowserLogin<Login> {
  /** The callback address of the last login. */
  lastRedirectUri: string | undefined;
  signal: AbortSignal;
  begin(this: void, redirectUri: string): Promise<StartedLogin<Login>>;
}

export async function logInInBrowser<Login>(settings: BrowserSettings, login: BrowserLogin<Login>): Promise<Login> {
  const { lastRedirectUri, signal, begin } = login;
  const arrived = new Deferred<URLSearchParams>();
  const outcome = new Deferred<Login>();
  let begun: StartedLogin<Login> | undefined;
  const callback = await callbackServer(portsOf(settings, lastRedirectUri), async (parameters) => {
    if (begun?.isOurs(parameters) !== true)
      return { status: 400, words: 'This is not the login that was started here.' };
    arrived.resolve(parameters);
    return outcome.promise.then(
      () => ({ status: 200, words: 'You are logged in. This window can be closed.' }),
      () => ({ status: 400, words: 'The login has failed. The terminal in which it was started says why.' }),
    );
  });
  const lines = createInterface({ input: process.stdin });
  try {
    const ours = await begin(callback.redirectUri);
    begun = ours;
    await show(ours.address, settings);
    lines.on('line', (line) => take(line, ours, arrived.resolve));
    const late = () => new Failure(`The login was not completed within ${settings.timeout} s. Run the command again.`);
    const interrupted = aborted(signal).then(() => Promise.reject(new Failure('Interrupted.')));
    const parameters = await withTimeout(
      foregroundClock,
      settings.timeout * 1000,
      Promise.race([arrived.promise, interrupted]),
      late,
    );
    const done = await ours.finish(parameters);
    outcome.resolve(done);
    return done;
  } catch (error) {
    outcome.reject(error);
    throw signal.aborted ? new Failure('Interrupted.') : asFailure(error);
  } finally {
    lines.close();
    await callback.close();
  }
}

function portsOf({ port }: BrowserSettings, redirectUri: string | undefined): number[] {
  if (port !== undefined) return [port];
  const last = redirectUri === undefined ? undefined : parsedUrl(redirectUri)?.port;
  return [...(last ? [Number(last)] : []), 0];
}

async function show(address: URL, { browser }: BrowserSettings): Promise<void> {
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
function take(
  line: string,
  begun: Pick<StartedLogin<unknown>, 'isOurs'>,
  resolve: (callback: URLSearchParams) => void,
): void {
  const text = line.trim();
  if (text === '') return;
  const parameters = parsedUrl(text)?.searchParams ?? new URLSearchParams(text.replace(/^.*\?/, ''));
  if (begun.isOurs(parameters)) resolve(parameters);
  else printError('This is not the address of the login that was started here.');
}

/** Quotes the error of the authorization server. */
function asFailure(error: unknown): unknown {
  if (error instanceof Failure || !(error instanceof Error)) return error;
  if (error instanceof LoginRefused) return new Failure(error.message);
  return new Failure(`The login has failed: ${quotedLine(answerProblem(error).message)}`);
}
