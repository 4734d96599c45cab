// Asks an issuer for its metadata (RFC 8414, or OpenID Connect Discovery) and its keys. Only addresses that follow from
// the configuration are asked.
import { networkCause } from '@tidings/live/internal';
import { messageOf, parsedUrl, shortLine } from '@tidings/live/portable';
import { isSecureUrl } from '@tidings/track/internal';
import type { JSONWebKeySet } from 'jose';
import { z } from 'zod';

const metadataSchema = z.looseObject({ issuer: z.string(), jwks_uri: z.string() });
const keySchema = z.looseObject({ kty: z.string(), kid: z.string().exactOptional() });
const keysSchema = z.looseObject({ keys: z.array(z.unknown()) });
const mostKeys = 100;

/** Bounded in time and size. */
export type IssuerFetch = (url: string, init: RequestInit) => Promise<Response>;

/** Rejects with an error that says which address answered what. */
export async function issuerKeys(issuer: string, fetch: IssuerFetch): Promise<JSONWebKeySet> {
  const { jwks_uri: address } = await issuerMetadata(issuer, fetch);
  const url = parsedUrl(address);
  if (url === undefined || !isSecureUrl(url) || (url.protocol === 'http:' && issuer.startsWith('https:'))) {
    throw new Error(`Its metadata has the "jwks_uri" "${shortLine(address)}", which is not an https:// address.`);
  }
  const response = await responseFrom(url.href, fetch);
  if (!response.ok) throw new Error(`${url.href} answered ${response.status}.`);
  const { data } = keysSchema.safeParse(await jsonOf(response));
  if (data === undefined) throw new Error(`${url.href} did not answer with a set of keys.`);
  if (data.keys.length > mostKeys) throw new Error(`${url.href} has more than ${mostKeys} keys.`);
  // RFC 7517, section 5: the other keys stay usable.
  return { keys: data.keys.flatMap((each) => keySchema.safeParse(each).data ?? []) };
}

async function issuerMetadata(issuer: string, fetch: IssuerFetch): Promise<z.infer<typeof metadataSchema>> {
  const problems: string[] = [];
  for (const address of metadataAddresses(issuer)) {
    // All have the same origin: if it cannot be reached, the first failure says so.
    const response = await responseFrom(address, fetch);
    const { data } = metadataSchema.safeParse(response.ok ? await jsonOf(response) : undefined);
    // RFC 8414, section 3.3: otherwise another issuer could vouch for its keys.
    if (data?.issuer === issuer) return data;
    const named = data === undefined ? 'has no "issuer" and "jwks_uri"' : `is that of "${shortLine(data.issuer)}"`;
    problems.push(`${address} ${response.ok ? named : `answered ${response.status}`}.`);
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

async function responseFrom(address: string, fetch: IssuerFetch): Promise<Response> {
  try {
    return await fetch(address, { headers: { Accept: 'application/json' }, redirect: 'manual' });
  } catch (error) {
    throw new Error(`${address} could not be read (${reasonOf(error)}).`, { cause: error });
  }
}

/** Undefined if it is not JSON. */
async function jsonOf(response: Response): Promise<unknown> {
  return response.json().catch(() => undefined);
}

function reasonOf(error: unknown): string {
  // `fetch` says only that it failed; the cause has the reason.
  const cause = error instanceof Error ? error.cause : undefined;
  return networkCause(error) ?? messageOf(cause ?? error);
}
