// Errors of QStash, as messages that say what to do.
import { type ErrorCode, LiveError } from '@tidings/live';

export class QstashFailure extends LiveError {
  /** The HTTP status, if there was an answer. */
  readonly status: number | undefined;

  constructor(code: ErrorCode, message: string, status?: number) {
    super(code, message);
    this.status = status;
  }
}

interface QstashRefusal {
  status: number;
  /** The reason that QStash gives, without secrets. */
  reason: string;
  headers: Headers;
  /** The origin of the request. */
  origin: string;
}

/** An answer that is not a success. */
export function refused({ status, reason, headers, origin }: QstashRefusal): QstashFailure {
  const fail = (code: ErrorCode, message: string) => new QstashFailure(code, message, status);
  if (status === 401 || status === 403) {
    return fail(
      'UNAVAILABLE',
      `QStash does not accept the token (${status}). Set QSTASH_TOKEN to the token of the account; its read-only token can list, but change nothing.`,
    );
  }
  if (status === 429) {
    const isDaily = headers.get('RateLimit-Limit') !== null;
    return fail(
      'LIMIT_EXCEEDED',
      isDaily
        ? 'The QStash account has used up its requests of today (429). Try again tomorrow, or raise its plan.'
        : 'The QStash account gets too many requests at once (429). Try again in a few seconds.',
    );
  }
  if (status === 412) {
    return fail(
      'LIMIT_EXCEEDED',
      `The QStash account has as many schedules as its plan allows (412): ${reason}. Delete one first.`,
    );
  }
  if (status === 400 || status === 413 || status === 422) {
    return fail('INVALID_PARAMS', `QStash refuses this (${status}): ${reason}.`);
  }
  if (status >= 500) return fail('UNAVAILABLE', `QStash has trouble (${status}). Try again in a minute.`);
  return fail('UNAVAILABLE', `${origin} does not answer as QStash does (${status}). Check QSTASH_URL.`);
}

export function unreadable(origin: string): QstashFailure {
  return new QstashFailure('UNAVAILABLE', `${origin} does not answer in the form QStash does. Check QSTASH_URL.`);
}

export function unreachable(origin: string, cause: string): QstashFailure {
  return new QstashFailure(
    'UNAVAILABLE',
    `QStash cannot be reached at ${origin} (${cause}). Check the network and QSTASH_URL.`,
  );
}

export function silent(origin: string, timeoutMs: number): QstashFailure {
  return new QstashFailure(
    'UNAVAILABLE',
    `QStash at ${origin} did not answer within ${timeoutMs / 1000} s. Look whether it was done before you try again.`,
  );
}

export function closed(): QstashFailure {
  return new QstashFailure('UNAVAILABLE', 'The schedules server is closing.');
}
