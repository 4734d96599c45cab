// An issuer of access tokens on loopback under the test's control: keys that change, wrong responses, tokens of any
// kind. Its tokens are signed with `jose`.
import { once } from 'node:events';
import { type Server, type ServerResponse, createServer } from 'node:http';
import { type CryptoKey, type JWK, SignJWT, exportJWK, generateKeyPair } from 'jose';

export interface IssuedClaims {
  /** Seconds from now. */
  expiresIn?: number;
  notBefore?: number;
  [claim: string]: unknown;
}

/** Any members, also invalid ones. */
type JWTHeader = Readonly<Record<string, unknown>>;

interface SigningKey {
  privateKey: CryptoKey;
  jwk: JWK;
}

export class ScriptedIssuer implements AsyncDisposable {
  /** The keys that it publishes. */
  keys: JWK[] = [];
  /** The paths of all requests. */
  readonly asked: string[] = [];
  /** Replaces the response to a path: a status, or a document. */
  readonly answers = new Map<string, number | object>();
  /** Delays responses until this resolves. */
  waitsFor: Promise<unknown> = Promise.resolve();
  readonly #http: Server;
  #key: SigningKey | undefined;

  private constructor() {
    this.#http = createServer((req, res) => void this.#answer(req.url ?? '/', res));
  }

  static async start(): Promise<ScriptedIssuer> {
    const issuer = new ScriptedIssuer();
    issuer.#http.listen(0, '127.0.0.1');
    await once(issuer.#http, 'listening');
    await issuer.rotate('first');
    return issuer;
  }

  get issuer(): string {
    const address = this.#http.address();
    return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  }

  /** Signs with a new key from now on, and publishes it besides `others`. */
  async rotate(kid: string, alg = 'ES256', others: JWK[] = []): Promise<void> {
    const { privateKey, publicKey } = await generateKeyPair(alg);
    this.#key = { privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } };
    this.keys = [...others, this.#key.jwk];
  }

  /** A token, signed with its key unless another one is given. */
  async token(claims: IssuedClaims = {}, header: JWTHeader = {}, key?: CryptoKey): Promise<string> {
    const signing = this.#key;
    if (signing === undefined) throw new Error('It has no key.');
    const { expiresIn = 3600, notBefore, ...others } = claims;
    const now = Math.floor(Date.now() / 1000);
    const times = { iat: now, exp: now + expiresIn, ...(notBefore !== undefined && { nbf: now + notBefore }) };
    const payload = { iss: this.issuer, sub: 'ada', ...times, ...others };
    const { kid = '', alg = '' } = signing.jwk;
    return new SignJWT(payload).setProtectedHeader({ kid, alg, ...header }).sign(key ?? signing.privateKey);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#http.closeAllConnections();
    await new Promise<void>((resolve) => void this.#http.close(() => resolve()));
  }

  async #answer(path: string, res: ServerResponse): Promise<void> {
    this.asked.push(path);
    await this.waitsFor;
    const answer = this.answers.get(path) ?? this.#usual(path);
    if (typeof answer === 'number') res.writeHead(answer).end();
    else res.setHeader('Content-Type', 'application/json').end(JSON.stringify(answer));
  }

  #usual(path: string): number | object {
    if (path === '/.well-known/oauth-authorization-server')
      return { issuer: this.issuer, jwks_uri: `${this.issuer}/jwks` };
    return path === '/jwks' ? { keys: this.keys } : 404;
  }
}
