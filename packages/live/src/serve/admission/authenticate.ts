// The caller of an HTTP request, as the program's `authenticate` returns it.
import { LimitExceeded } from '../../base/error.ts';
import type { Log } from '../../base/log.ts';
import type { Credential } from '../../resource/caller.ts';
import { Refusal } from '../exchange/http-exchange.ts';

export type Authenticate<Source> = (req: Source) => Credential | undefined | Promise<Credential | undefined>;

/** Throws the error for a caller that is refused. */
export async function credentialOf<Source>(
  source: Source,
  authenticate: Authenticate<Source>,
  { challenge = 'Bearer', log }: { challenge: string | undefined; log: Log },
): Promise<Credential> {
  const credential = await admitted(source, authenticate, log);
  if (credential) {
    assertCredential(credential);
    return credential;
  }
  const message = 'This server needs credentials: send an Authorization header.';
  throw new Refusal(401, 'PERMISSION_DENIED', message, { 'WWW-Authenticate': challenge });
}

async function admitted<Source>(
  source: Source,
  authenticate: Authenticate<Source>,
  log: Log,
): Promise<Credential | undefined> {
  try {
    return await authenticate(source);
  } catch (error) {
    // An exceeded limit is not a wrong credential.
    if (error instanceof LimitExceeded) throw error;
    log.warn({ err: error }, 'authenticate refused a request.');
    return undefined;
  }
}

function assertCredential(credential: Credential): void {
  // Plain JavaScript may return anything, such as `true`.
  const { subject, expiresAt }: Partial<Credential> = credential;
  if (typeof subject !== 'string') {
    throw new TypeError('authenticate must return a credential, such as { subject: "ada" }, or undefined.');
  }
  // A value in seconds, as tokens have it, would be a moment in 1970 and end every stream at once.
  if (expiresAt === undefined || expiresAt > 1e11) return;
  throw new TypeError('A credential\u2019s expiresAt is in milliseconds since the epoch.');
}
