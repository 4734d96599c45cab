// The keys of the operator: they verify signed vCons and open encrypted ones. They come from a file, never from a
// caller, and never leave this class.
import { parsedJson, systemCode } from '@tidings/live/portable';
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { LiveError } from '@tidings/live';
import { isDeeperThan } from '@tidings/live/internal';
import { type CryptoKey, type GeneralDecryptGetKey, type JWK, flattenedVerify, generalDecrypt, importJWK } from 'jose';
import { z } from 'zod';
import { formOf, payloadOf } from '../model/form.ts';
import { isList, isObject, type JsonObject } from '../model/json.ts';
import { mostLevels } from '../model/nesting.ts';

/** The state of a signature: made with a known key, with an unknown key, or not with the key it names. */
export type Signature = 'valid' | 'invalid' | 'unknown key';

const keySchema = z.looseObject({ kty: z.enum(['RSA', 'EC', 'OKP', 'oct']), kid: z.string().optional() });
const keysSchema = z.union([
  z.object({ keys: z.array(keySchema).min(1) }).transform(({ keys }) => keys),
  keySchema.transform((key) => [key]),
]);
const headerSchema = z.looseObject({
  alg: z.string(),
  kid: z.string().optional(),
  x5c: z.array(z.string()).optional(),
});

type Key = z.infer<typeof keySchema>;

/**
 * At most this many signatures and recipients of a document are tried: each is a computation for every key, at every
 * read.
 */
const mostTried = 16;

export class VconKeys {
  readonly #keys: readonly Key[];

  constructor(keys: readonly Key[] = []) {
    this.#keys = keys;
  }

  get isEmpty(): boolean {
    return this.#keys.length === 0;
  }

  /** `path`: the file of a JSON Web Key or a JSON Web Key Set. */
  static fromFile(path: string): VconKeys {
    try {
      return new VconKeys(keysSchema.parse(JSON.parse(readFileSync(path, 'utf8'))));
    } catch (error) {
      // The text of the error could quote a key.
      const code = systemCode(error);
      const why = code === undefined ? '' : ` (${code})`;
      throw new LiveError(
        'INVALID_PARAMS',
        `${path} cannot be read as keys${why}: TIDINGS_VCON_KEYS names a file with a JSON Web Key Set, as {"keys": […]}.`,
      );
    }
  }

  /** One valid signature is enough; only the first few are checked. */
  async verify(document: JsonObject): Promise<Signature> {
    const { payload, signatures } = document;
    const all = isList(signatures) ? signatures : [document];
    const found = new Set<Signature>();
    for (const each of all.slice(0, mostTried)) {
      if (isObject(each)) found.add(await this.#verifyOne({ ...each, payload: payload ?? '' }));
    }
    if (found.has('valid')) return 'valid';
    return found.has('invalid') ? 'invalid' : 'unknown key';
  }

  /** The vCon inside a signed or encrypted document; undefined if no key opens it. */
  async open(document: JsonObject): Promise<JsonObject | undefined> {
    const form = formOf(document);
    if (form === 'unsigned') return document;
    if (form === 'signed') return payloadOf(document);
    const inner = await this.decrypt(document);
    return inner === undefined ? undefined : this.open(inner);
  }

  /** The content of an encrypted document: a vCon, or a signed one. */
  async decrypt(document: JsonObject): Promise<JsonObject | undefined> {
    const jwe = z
      .looseObject({ ciphertext: z.string(), recipients: z.array(z.looseObject({})).optional() })
      .safeParse(document).data;
    if (jwe === undefined) return undefined;
    const recipients = jwe.recipients?.slice(0, mostTried) ?? [
      { encrypted_key: document['encrypted_key'], header: document['header'] },
    ];
    for (const key of this.#keys) {
      try {
        const { plaintext } = await generalDecrypt({ ...jwe, recipients }, keyOf(key));
        const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(plaintext));
        return isObject(value) && !isDeeperThan(value, mostLevels) ? value : undefined;
      } catch {
        // Another key may fit.
      }
    }
    return undefined;
  }

  async #verifyOne(signature: JsonObject): Promise<Signature> {
    const header = headerOf(signature);
    const jws = jwsSchema.safeParse(signature).data;
    if (header === undefined || jws === undefined) return 'invalid';
    const candidates = this.#keys.filter((key) => mayHaveSigned(key, header));
    for (const key of candidates) {
      try {
        const { protected: guarded, header: open, ...signed } = jws;
        const headers = {
          ...(guarded !== undefined && { protected: guarded }),
          ...(open && { header: withoutRepeated(open, guardedHeader(guarded)) }),
        };
        await flattenedVerify({ ...signed, ...headers }, await imported(key, header.alg));
        return 'valid';
      } catch {
        // Another key may fit.
      }
    }
    return candidates.length > 0 ? 'invalid' : 'unknown key';
  }
}

const jwsSchema = z.object({
  payload: z.string(),
  signature: z.string(),
  protected: z.string().optional(),
  header: z.looseObject({}).optional(),
});

function headerOf({ protected: text, header }: JsonObject): z.infer<typeof headerSchema> | undefined {
  return headerSchema.safeParse({ ...(isObject(header) ? header : {}), ...guardedHeader(text) }).data;
}

/** The part of the header that the signature covers. */
function guardedHeader(text: unknown): JsonObject {
  const header = typeof text === 'string' ? parsedJson(Buffer.from(text, 'base64url').toString()) : undefined;
  return isObject(header) ? header : {};
}

/**
 * Examples of the working group repeat parameters in both headers, which RFC 7515 forbids; the protected one counts.
 */
function withoutRepeated(open: Record<string, unknown>, guarded: JsonObject): Record<string, unknown> {
  return Object.fromEntries(Object.entries(open).filter(([name, value]) => !isDeepStrictEqual(value, guarded[name])));
}

const families: readonly [RegExp, Key['kty']][] = [
  [/^[RP]S\d+$/, 'RSA'],
  [/^ES\d+K?$/, 'EC'],
  [/^(?:EdDSA|Ed25519)$/, 'OKP'],
  [/^HS\d+$/, 'oct'],
];

/** The key type must be that of the algorithm: otherwise a public key could be used as a shared secret. */
function mayHaveSigned(key: Key, { alg, kid, x5c }: z.infer<typeof headerSchema>): boolean {
  const family = families.find(([pattern]) => pattern.test(alg))?.[1];
  if (key.kty !== family) return false;
  if (kid !== undefined && key.kid !== undefined) return key.kid === kid;
  return x5c?.[0] === undefined || isOfCertificate(key, x5c[0]);
}

function isOfCertificate(key: Key, certificate: string): boolean {
  try {
    const { n, x, y } = new X509Certificate(Buffer.from(certificate, 'base64')).publicKey.export({ format: 'jwk' });
    return key['n'] === n && key['x'] === x && (y === undefined || key['y'] === y);
  } catch {
    return false;
  }
}

function keyOf(key: Key): GeneralDecryptGetKey {
  return (guarded, { header, unprotected }) => imported(key, guarded?.alg ?? header?.alg ?? unprotected?.alg);
}

async function imported(key: Key, alg: string | undefined): Promise<CryptoKey | Uint8Array> {
  const jwk: JWK = { ...key, kid: key.kid ?? '' };
  return importJWK(jwk, alg);
}
