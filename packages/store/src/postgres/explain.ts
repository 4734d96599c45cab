// What PostgreSQL's failures mean for whoever runs the server.
import { LiveError } from '@tidings/live';
import { z } from 'zod';
import { databaseError } from '../database-error.ts';

const codeSchema = z.object({ code: z.string() });

/** Connections that were refused or cut, and a server that is starting up or shutting down. */
const awayCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  '57P01',
  '57P02',
  '57P03',
  '08006',
  '08001',
]);
const awayMessage = /Connection terminated|timeout|Client has encountered a connection error|Cannot use a pool/i;

export function isAway(error: unknown): boolean {
  const code = codeSchema.safeParse(error).data?.code;
  return (code !== undefined && awayCodes.has(code)) || (error instanceof Error && awayMessage.test(error.message));
}

export function explained(error: unknown): unknown {
  if (error instanceof LiveError) return error;
  if (isAway(error)) return databaseError('PostgreSQL cannot be reached. It may be restarting: try again.', error);
  const code = codeSchema.safeParse(error).data?.code;
  if (code === undefined) return error;
  if (code === '53100') return databaseError('PostgreSQL has no disk space left. Nothing was written.', error);
  if (code === '28P01' || code === '28000') {
    return databaseError('PostgreSQL refused the user or the password: check the URL.', error);
  }
  if (code === '3D000')
    return databaseError('There is no such database in PostgreSQL: create it, or check the URL.', error);
  return databaseError(`PostgreSQL failed (${code}).`, error);
}
