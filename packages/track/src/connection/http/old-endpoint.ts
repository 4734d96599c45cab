// Whether the address of a server may be that of an event stream of 2024-11-05. Such a server does not take a POST there,
// and the specification has clients open the stream then.
import { SdkHttpError } from '@modelcontextprotocol/client';

/** These concern the caller or the moment, not the endpoint at the address. */
const otherReasons: ReadonlySet<number> = new Set([401, 403, 407, 408, 429]);

export function mayBeOldEndpoint(error: unknown): boolean {
  for (let [each, depth] = [error, 0]; each instanceof Error && depth < 5; [each, depth] = [each.cause, depth + 1]) {
    if (each instanceof SdkHttpError) return isRefusal(each.status);
  }
  return false;
}

function isRefusal(status: number | undefined): boolean {
  return status !== undefined && status >= 400 && status < 500 && !otherReasons.has(status);
}
