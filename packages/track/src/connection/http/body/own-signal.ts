// Gives each request an abort signal of its own. A signal that lives as long as the session would keep memory for every
// request ever made.
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
  const abort = () => own.abort(signal?.reason);
  const ended = () => {
    signal?.removeEventListener('abort', abort);
    done?.();
  };
  signal?.addEventListener('abort', abort);
  if (signal?.aborted === true) abort();
  try {
    return passBody(await send(own), { ended }).response;
  } catch (error) {
    ended();
    throw error;
  }
}
