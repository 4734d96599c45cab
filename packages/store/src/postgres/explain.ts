// PostgreSQL's errors, as messages for the operator of the server.
import type { LiveError } from '@tidings/live';
import { z } from 'zod';
import { databaseError } from '../database-error.ts';

const errorSchema = z.object({ code: z.string().optional(), message: z.string().optional() });
const causeSchema = z.object({ cause: errorSchema });

/** Connections that were refused or cut, and a server that is starting up or shutting down. */
const awayCode = /^(E(?!RR_)[A-Z_]+|08...|57P0.)$/;
/** Errors of the client library that have no code. */
const awayMessage =
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has enc)/;

const meanings: readonly [code: RegExp, meaning: string][] = [
  [/^28/, 'refused the user or the password: check the URL.'],
  [/^3D000$/, 'has no such database: create it, or check the URL.'],
  [/^42501$/, 'does not allow this user to do that: grant it, or check the URL.'],
  [/^53100$/, 'has no disk space left. Nothing was written; free some and try again.'],
  [/^53300$/, 'has no connection left. Allow more of them, or try again.'],
  [/^25006$/, 'is read-only: check that the URL is that of the primary server.'],
  [/^(40|53|55|57|58|F0|XX)/, 'could not do that now. Nothing was written; try again.'],
];

interface Circumstances {
  /** The server's address, without a password. */
  server: string;
  /** Whether the connection broke during the commit, so that its outcome is unknown. */
  isCommitting?: boolean;
}

export function isAway(error: unknown): boolean {
  const { code = '', message = '' } = errorSchema.safeParse(error).data ?? {};
  return awayCode.test(code) || awayMessage.test(message);
}

/** A deadlock, or a transaction that saw what another one changed: it was rolled back, and may be tried again. */
export function isCollision(error: unknown): boolean {
  const { code } = causeSchema.safeParse(error).data?.cause ?? {};
  return code === '40001' || code === '40P01';
}

/** Returns the same error if it is not one of PostgreSQL's, or a mistake in a statement. */
export function explained(error: unknown, { server, isCommitting = false }: Circumstances): unknown {
  if (isAway(error)) {
    const advice = isCommitting
      ? 'went away during a commit. The change may or may not have been made: check before you try again.'
      : 'cannot be reached. If it is restarting, try again; else check that it runs, and the URL.';
    return databaseError(`PostgreSQL at ${server} ${advice}`, error);
  }
  const { code = '' } = errorSchema.safeParse(error).data ?? {};
  const [, meaning] = meanings.find(([pattern]) => pattern.test(code)) ?? [];
  return meaning === undefined ? error : databaseError(`PostgreSQL at ${server} ${meaning}`, error);
}

/** All connections are in use, and none has become free for a while. */
export function connectionsBusy(server: string): LiveError {
  return databaseError(
    `PostgreSQL at ${server} is still busy with earlier requests, and has finished none for 5 s. Nothing was written; try again.`,
  );
}

/** Does not repeat the URL: it may contain a password. */
export function notAUrl(): LiveError {
  return databaseError(
    'That is not the URL of a PostgreSQL database: write postgres://user:password@host:5432/database.',
  );
}
