// Posts a notification over HTTP. Errors never contain the message or the secret.
import { type Clock, type ErrorCode, systemClock } from '@tidings/live';
import { NoAnswer, boundedRequest, networkCause, readUpTo, retryAfterMs } from '@tidings/live/internal';
import { DeliveryError } from './delivery-error.ts';

export interface PostOptions {
  fetch?: typeof globalThis.fetch | undefined;
  clock?: Clock | undefined;
  timeoutMs?: number | undefined;
}

interface Post {
  url: URL;
  headers: Readonly<Record<string, string>>;
  body: string;
  /** The receiver in words, such as its host; not the address, which may be a secret. */
  receiver: string;
  /** Advice for a status, as the end of a sentence; empty if there is none. */
  adviceFor(this: void, status: number): string;
  /** The reason of a refusal, from the beginning of the response. */
  explanationIn?(this: void, answer: string): string;
}

export async function post(
  { url, headers, body, receiver, adviceFor, explanationIn = () => '' }: Post,
  { fetch, clock = systemClock, timeoutMs = 10_000 }: PostOptions,
): Promise<void> {
  const bounds = { fetch, clock, withinMs: timeoutMs };
  const { response, answer } = await boundedRequest(url, { method: 'POST', headers, body }, bounds, beginning).catch(
    (error: unknown) => {
      const problem =
        error instanceof NoAnswer
          ? `did not answer within ${timeoutMs / 1000} s`
          : `cannot be reached (${networkCause(error) ?? 'network error'})`;
      throw new DeliveryError('UNAVAILABLE', `${receiver} ${problem}.`, { isTemporary: true });
    },
  );
  if (response.ok) return;
  throw refused(response, { receiver, advice: adviceFor(response.status), clock }, explanationIn(answer));
}

/** The status counts, also if the body breaks off. */
async function beginning(response: Response): Promise<{ response: Response; answer: string }> {
  return { response, answer: await readUpTo(response.body, longestAnswer).then(String, () => '') };
}

const laterStatuses = new Set([408, 425, 429]);
const codes: Record<number, ErrorCode> = {
  400: 'INVALID_PARAMS',
  401: 'PERMISSION_DENIED',
  403: 'PERMISSION_DENIED',
  413: 'INVALID_PARAMS',
  429: 'LIMIT_EXCEEDED',
};

function refused(
  response: Response,
  { receiver, advice, clock }: { receiver: string; advice: string; clock: Clock },
  explanation: string,
): DeliveryError {
  const { status } = response;
  const isTemporary = status >= 500 || laterStatuses.has(status);
  const message = `${receiver} answered ${status}${explanation && ` (${explanation})`}${advice && `: ${advice}`}.`;
  return new DeliveryError(codes[status] ?? 'UNAVAILABLE', message, {
    isTemporary,
    retryAfterMs: isTemporary ? retryAfterMs(response, clock) : undefined,
  });
}

const longestAnswer = 4096;
