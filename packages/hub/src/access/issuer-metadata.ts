// Asks an issuer for its metadata (RFC 8414, or OpenID Connect Discovery) and its keys. Only addresses that follow from
// the configuration are asked.
import { parsedUrl } from '@tidings/live/parsed-url';
import { isSecureUrl } from '@tidings/track/internal';
import type { JSONWebKeySet } from 'jose';
import { z } from 'zod';

const metadataSchema = z.looseObject({ issuer: z.string(), jwks_uri: z.string() });
const keysSchema = z.looseObject({
  keys: z.array(z.looseObject({ kty: z.string(), kid: z.string().exactOptional() })),
});
const mostKeys = 100;

/** Bounded in time and size. */
export type IssuerFetch = (url: string, init: RequestInit) => Promise<Response>;

/** Rejects with an error that says which address answered what. */
export async function issuerKeys(issuer: string, fetch: IssuerFetch): Promise<JSONWebKeySet> {
  const { jwks_uri: address } = await issuerMetadata(issuer, fetch);
  const url = parsedUrl(address);
  if (url === undefined || !isSecureUrl(url) || (url.protocol === 'http:' && issuer.startsWith('https:'))) {
    throw new Error(`Its metadata has the "jwks_uri" ${JSON.stringify(address)}, which is not an https:// address.`);
  }
  const { data } = keysSchema.safeParse(await jsonAt(url.href, fetch));
  if (data === undefined) throw new Error(`${url.href} did not answer with a set of keys.`);
  if (data.keys.length > mostKeys) throw new Error(`${url.href} has more than ${mostKeys} keys.`);
  return data;
}

async function issuerMetadata(issuer: string, fetch: IssuerFetch): Promise<z.infer<typeof metadataSchema>> {
  const problems: string[] = [];
  for (const address of metadataAddresses(issuer)) {
    try {
      const { data } = metadataSchema.safeParse(await jsonAt(address, fetch));
      // RFC 8414, section 3.3: otherwise another issuer could vouch for its keys.
      if (data?.issuer === issuer) return data;
      const named = data === undefined ? 'has no "issuer" and "jwks_uri"' : `is that of ${JSON.stringify(data.issuer)}`;
      problems.push(`${address} ${named}.`);
    } catch (error) {
      problems.push(error instanceof Error ? error.message : String(error));
    }
  }
  throw new Error(problems.join(' '));
}

/** In the order in which MCP clients ask. */
function metadataAddresses(issuer: string): string[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  const inserted = ['oauth-authorization-server', 'openid-configuration'].map(
    (name) => `${origin}/.well-known/${name}${path}`,
  );
  return path === '' ? inserted : [...inserted, `${origin}${path}/.well-known/openid-configuration`];
}

async function jsonAt(address: string, fetch: IssuerFetch): Promise<unknown> {
  let response: Response;
  try {
    response = await fetch(address, { headers: { Accept: 'application/json' }, redirect: 'error' });
  } catch (error) {
    throw new Error(`${address} could not be read (${reasonOf(error)}).`, { cause: error });
  }
  if (!response.ok) throw new Error(`${address} answered ${response.status}.`);
  try {
    return await response.json();
  } catch (error) {
    throw new Error(`${address} did not answer with JSON.`, { cause: error });
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // `fetch` says only that it failed; the cause has the reason.
  const { cause } = error;
  if (cause instanceof Error) return 'code' in cause ? String(cause.code) : cause.message;
  return error.message;
}
