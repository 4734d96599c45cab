// Whether a server's address may be an event stream of 2024-11-05. Such a server refuses a POST there, and the
// specification tells clients to open the stream in that case.
import { SdkHttpError } from '@modelcontextprotocol/client';
import { causes } from '../../base/causes.ts';

/** Statuses that depend on the caller or the moment, and do not show what endpoint is at the address. */
const otherReasons: ReadonlySet<number> = new Set([401, 403, 407, 408, 429]);

export function mayBeOldEndpoint(error: unknown): boolean {
  return isRefusal(causes(error).find((each) => each instanceof SdkHttpError)?.status);
}

function isRefusal(status: number | undefined): boolean {
  return status !== undefined && status >= 400 && status < 500 && !otherReasons.has(status);
}
