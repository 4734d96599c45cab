// The hub as an OAuth resource server: the metadata documents that name its authorization servers (RFC 9728), and the
// `WWW-Authenticate` header that points clients to them (RFC 6750).
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isWebUrl, parsedUrl } from '@tidings/live/portable';
import { isEndpointPath } from '../../access/endpoint-path.ts';
import type { Issuers } from '../../access/issuer/issuers.ts';
import type { TokenRefused } from '../../access/issuer/token-refused.ts';
import { sendJson } from '../message/answer.ts';
import type { Forwarded } from '../message/forwarded.ts';

const wellKnown = '/.well-known/oauth-protected-resource';

interface ProtectedResourceDeps {
  issuers: () => Issuers;
  forwarded: Forwarded;
}

export class ProtectedResource {
  readonly #deps: ProtectedResourceDeps;

  constructor(deps: ProtectedResourceDeps) {
    this.#deps = deps;
  }

  /** Whether this is the path of a document. It is public, and there is one for any id: servers must not be revealed. */
  describes(pathname: string): boolean {
    if (this.#deps.issuers().isEmpty || !pathname.startsWith(wellKnown)) return false;
    return pathname === wellKnown || isEndpointPath(pathname.slice(wellKnown.length));
  }

  /** Pages of any origin may read it. */
  answer(req: IncomingMessage, res: ServerResponse, pathname: string): void {
    res.setHeader('Access-Control-Allow-Origin', '*');
    res.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
    if (req.method === 'OPTIONS') {
      res.setHeader('Access-Control-Allow-Methods', 'GET, HEAD');
      res.setHeader('Access-Control-Allow-Headers', req.headers['access-control-request-headers'] ?? '*');
      res.writeHead(204).end();
      return;
    }
    if (req.method !== 'GET' && req.method !== 'HEAD') {
      res.setHeader('Allow', 'GET, HEAD, OPTIONS');
      const message = 'This document can only be read.';
      sendJson(res, 405, { error: { code: 'INVALID_PARAMS', message } });
      return;
    }
    const { names, scopes } = this.#deps.issuers();
    sendJson(res, 200, {
      // The audience `/mcp` is accepted by the whole hub, so the document without a path names `/mcp`.
      resource: `${this.#originOf(req)}${pathname.slice(wellKnown.length) || '/mcp'}`,
      authorization_servers: names,
      ...(scopes.length > 0 && { scopes_supported: scopes }),
      bearer_methods_supported: ['header'],
      resource_name: 'Tidings',
    });
  }

  /** The `WWW-Authenticate` header of a refused request; `refused` is why, if it had a token. */
  challenge(req: IncomingMessage, pathname: string, refused?: TokenRefused): string {
    const issuers = this.#deps.issuers();
    if (issuers.isEmpty) return 'Bearer';
    const described = isEndpointPath(pathname) ? pathname : '';
    const wanted = refused?.scopes.length ? refused.scopes : issuers.scopes;
    const parameters = [
      ...(refused ? [`error="${refused.problem}"`, `error_description="${quotable(refused.message)}"`] : []),
      ...(wanted.length > 0 ? [`scope="${wanted.join(' ')}"`] : []),
      `resource_metadata="${this.#originOf(req)}${wellKnown}${described}"`,
    ];
    return `Bearer ${parameters.join(', ')}`;
  }

  /**
   * The origin at which clients reach the hub. An audience that is an address of the same host has the scheme that
   * clients use, also where a proxy in front is not named in `proxies`.
   */
  #originOf(req: IncomingMessage): string {
    const { issuers, forwarded } = this.#deps;
    // The guard has checked the host name, but the header may contain more than name and port.
    const originBy = (scheme: string) => parsedUrl(`${scheme}//${req.headers.host ?? ''}`)?.origin ?? '';
    const audience = issuers()
      .audiences.map((each) => parsedUrl(each))
      .find((url) => url && isWebUrl(url) && url.origin === originBy(url.protocol));
    return audience?.origin ?? originBy(forwarded.isTls(req) ? 'https:' : 'http:');
  }
}

function quotable(text: string): string {
  return text.replaceAll('"', "'").replaceAll(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, '?');
}
