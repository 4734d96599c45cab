// A signal that is aborted when a client leaves before it has its response, so that what it waited for is given up.
import type { ServerResponse } from 'node:http';
import { whenClosed } from './open-answers.ts';

export function leftSignal(res: ServerResponse): AbortSignal {
  const left = new AbortController();
  whenClosed(res, () => {
    if (!res.writableFinished) left.abort();
  });
  return left.signal;
}
