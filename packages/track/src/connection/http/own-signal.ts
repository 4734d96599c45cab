// A request with an abort signal of its own. A signal that lives as long as the session would keep something of every
// request ever made.
import { passBody } from './pass-body.ts';

interface OwnSignalOptions {
  /** Aborts the request too, until its answer has been read. */
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
