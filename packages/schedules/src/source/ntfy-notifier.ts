// Sends notifications to ntfy, through its JSON publish API. The access token goes into one header and
// nowhere else: not into errors, not into logs.
import { type Clock, type ErrorCode, LiveError, systemClock } from '@tidings/live';
import { parsedUrl } from '@tidings/live/internal';
import { timeLimit } from '@tidings/live/time';
import { z } from 'zod';
import type { Push } from './backend.ts';
import { DeliveryError, type Notifier } from './notifier.ts';

export interface NtfyOptions {
  /** Where ntfy is. Default: the public service. */
  url?: string | undefined;
  token?: string | undefined;
  fetch?: typeof globalThis.fetch;
  clock?: Clock;
  timeoutMs?: number;
}

export const publicNtfy = 'https://ntfy.sh';

export function ntfyNotifier(options: NtfyOptions = {}): Notifier {
  const { token, fetch = globalThis.fetch, clock = systemClock, timeoutMs = 10_000 } = options;
  const url = parseUrl(options.url ?? publicNtfy);
  const headers = { 'content-type': 'application/json', ...(token !== undefined && authorization(token)) };

  return async (push) => {
    const limit = timeLimit(clock, timeoutMs);
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers,
        body: bodyOf(push),
        // A POST that is redirected arrives as a GET, which publishes nothing.
        redirect: 'manual',
        signal: limit.signal,
      });
      const answer = await beginningOf(response).catch(() => '');
      if (!response.ok) throw refused(url.host, response, explanationIn(answer), clock);
    } catch (error) {
      if (error instanceof DeliveryError) throw error;
      const problem = limit.isExceeded
        ? `did not answer within ${timeoutMs / 1000} s`
        : `cannot be reached (${codeOf(error)})`;
      throw new DeliveryError('UNAVAILABLE', `${url.host} ${problem}.`, { isTemporary: true });
    } finally {
      limit.clear();
    }
  };
}

/** In words: where notifications go. */
export function ntfyDestination(url: string = publicNtfy): string {
  return `ntfy at ${parseUrl(url).href.replace(/\/$/, '')}`;
}

function bodyOf(push: Push): string {
  const { topic, message, title, priority, tags, markdown, click, icon, attach, filename, actions } = push;
  return JSON.stringify({ topic, message, title, priority, tags, markdown, click, icon, attach, filename, actions });
}

function parseUrl(text: string): URL {
  const url = parsedUrl(text);
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new LiveError('INVALID_PARAMS', `The address of ntfy must be an http or https URL. Example: ${publicNtfy}.`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new LiveError('INVALID_PARAMS', 'The address of ntfy may not hold a password: use an access token instead.');
  }
  return url;
}

function authorization(token: string): { authorization: string } {
  // The runtime would refuse it, too, and quote it in its error.
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw new LiveError('INVALID_PARAMS', 'The access token of ntfy may hold only visible ASCII characters.');
  }
  return { authorization: `Bearer ${token}` };
}

const laterStatuses = new Set([408, 425, 429]);
const codes: Record<number, ErrorCode> = {
  400: 'INVALID_PARAMS',
  401: 'PERMISSION_DENIED',
  403: 'PERMISSION_DENIED',
  413: 'INVALID_PARAMS',
  429: 'LIMIT_EXCEEDED',
};

function refused(host: string, { status, headers }: Response, explanation: string, clock: Clock): DeliveryError {
  const isTemporary = status >= 500 || laterStatuses.has(status);
  const advice = adviceFor(status);
  const message = `${host} answered ${status}${explanation && ` (${explanation})`}${advice && `: ${advice}`}.`;
  return new DeliveryError(codes[status] ?? 'UNAVAILABLE', message, {
    isTemporary,
    retryAfterMs: isTemporary ? parseRetryAfter(headers.get('retry-after'), clock) : undefined,
  });
}

function adviceFor(status: number): string {
  if (status === 401 || status === 403) return 'check the access token and who may write to this topic';
  if (status === 404 || status === 405) return 'check the address, ntfy is not there';
  if (status >= 300 && status < 400) return 'it has moved, correct the address';
  if (status === 429) return 'too many notifications, send fewer or wait';
  return '';
}

function parseRetryAfter(value: string | null, clock: Clock): number | undefined {
  if (value === null) return undefined;
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - clock.date();
  return Number.isFinite(ms) && ms > 0 ? ms : undefined;
}

const longestAnswer = 4096;

/** At a wrong address any server may answer, with anything: no more is read than ntfy would send. */
async function beginningOf({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop cancels the rest.
  for await (const chunk of body ?? []) {
    chunks.push(chunk);
    size += chunk.byteLength;
    if (size > longestAnswer) break;
  }
  return Buffer.concat(chunks).toString();
}

const explanationSchema = z
  .string()
  .transform((text): unknown => JSON.parse(text))
  .pipe(z.object({ error: z.string() }));

/** The reason in ntfy's response, if it is one of ntfy. */
function explanationIn(answer: string): string {
  try {
    return explanationSchema.parse(answer).error.slice(0, 200);
  } catch {
    return '';
  }
}

const causeSchema = z.object({ cause: z.object({ code: z.string() }) });

function codeOf(error: unknown): string {
  return causeSchema.safeParse(error).data?.cause.code ?? 'network error';
}
