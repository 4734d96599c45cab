// Gives each request an abort signal of its own. A signal that lives as long as the session would keep memory for every
// request ever made.
import { onAbort } from '@tidings/live/time';
import { passBody } from '../stream/pass-body.ts';

interface OwnSignalOptions {
  /** The caller's signal. Aborts the request until its answer has been read. */
  signal: AbortSignal | null | undefined;
  /** The request has failed, or its answer has been read. */
  done?(this: void): void;
}

export async function withOwnSignal(
  { signal, done }: OwnSignalOptions,
  send: (own: AbortController) => Promise<Response>,
): Promise<Response> {
  const own = new AbortController();
  const unlink = onAbort(signal, (reason) => own.abort(reason));
  const ended = () => {
    unlink();
    done?.();
  };
  try {
    return passBody(await send(own), { ended }).response;
  } catch (error) {
    ended();
    throw error;
  }
}
