// Serves the dashboard's files, or a plain page with links where the dashboard is not built.
import { randomBytes } from 'node:crypto';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join, posix, relative, sep } from 'node:path';

interface File {
  body: Buffer;
  type: string;
  /** Names with a digest in them never change. */
  cache: string;
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.woff2': 'font/woff2',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
};

/** Allows only scripts and styles with the nonce of this response, not those served at /resources. */
function policyFor(nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src-elem 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

export class Pages {
  readonly #files: ReadonlyMap<string, File>;

  /** `folder` need not exist. The files are few and small, and are read once. */
  constructor(folder: string | undefined) {
    this.#files = new Map(folder === undefined ? [] : filesIn(folder));
  }

  async serve(pathname: string, req: IncomingMessage, res: ServerResponse): Promise<boolean> {
    const file =
      this.#files.get(pathname === '/' ? '/index.html' : pathname) ?? (pathname === '/' ? plainPage : undefined);
    if (file === undefined || (req.method !== 'GET' && req.method !== 'HEAD')) return false;
    const nonce = randomBytes(16).toString('base64url');
    const body = file.type === types['.html'] ? withNonce(file.body, nonce) : file.body;
    res.writeHead(200, {
      'Content-Type': file.type,
      'Content-Length': body.length,
      'Cache-Control': file.cache,
      'Content-Security-Policy': policyFor(nonce),
      'Cross-Origin-Opener-Policy': 'same-origin',
    });
    res.end(req.method === 'HEAD' ? undefined : body);
    return true;
  }
}

function withNonce(page: Buffer, nonce: string): Buffer {
  return Buffer.from(
    page.toString().replaceAll(/<(script|style|link rel="(?:modulepreload|stylesheet)")/g, `<$1 nonce="${nonce}"`),
  );
}

function* filesIn(folder: string): Generator<[string, File]> {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const name = posix.join('/', relative(folder, path).split(sep).join('/'));
    const cache = name.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';
    yield [name, { body: readFileSync(path), type: types[extname(name)] ?? 'application/octet-stream', cache }];
  }
}

const plainPage: File = {
  type: types['.html'] ?? '',
  cache: 'no-cache',
  body: Buffer.from(`<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Tidings</title>
<style>:root{color-scheme:light dark}body{font:16px/1.5 system-ui;max-width:40rem;margin:3rem auto;padding:0 1rem}code{font-size:.9em}</style>
<h1>Tidings</h1>
<p>The hub is running.</p>
<ul>
<li><a href="/api/servers">Servers</a>, <a href="/api/resources">resources</a>, <a href="/api/events">events</a></li>
<li>Live: <code>curl -N /api/mcp/resource-events</code></li>
<li>MCP, all servers as one: <code>/mcp</code></li>
</ul></html>
`),
};
