// A signal that is aborted when a client leaves before it has its response, so that the work for it can be cancelled.
import type { ServerResponse } from 'node:http';
import { whenClosed } from '@tidings/live/internal';

export function leftSignal(res: ServerResponse): AbortSignal {
  const left = new AbortController();
  whenClosed(res, () => {
    if (!res.writableFinished) left.abort();
  });
  return left.signal;
}
