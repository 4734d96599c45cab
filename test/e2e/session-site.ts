// Serves the page that holds a realtime session, as built by Vite, and the page at the other end of its calls. As
// with the Realtime API, an offer is posted and the answer is the response.
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const source = fileURLToPath(new URL('session-page', import.meta.url));
const vite = fileURLToPath(new URL('../../node_modules/vite/bin/vite.js', import.meta.url));
const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript' };

export class SessionSite implements AsyncDisposable {
  readonly origin: string;
  /** Answers calls. */
  answer: (offer: string) => Promise<string> = () => Promise.reject(new Error('Nobody takes calls.'));
  readonly #built: string;
  readonly #http: Server;

  private constructor(built: string, http: Server) {
    this.#built = built;
    this.#http = http;
    const address = http.address();
    this.origin = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
    http.on('request', (req, res) => void this.#serve(req, res));
  }

  static async start(): Promise<SessionSite> {
    const built = await mkdtemp(join(tmpdir(), 'tidings-site-'));
    const args = [vite, 'build', source, '--outDir', built, '--emptyOutDir', '--logLevel', 'error'];
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`The page was not built: ${stderr}`);
    const http = createServer();
    await new Promise<void>((resolve) => void http.listen(0, '127.0.0.1', resolve));
    return new SessionSite(built, http);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#http.closeAllConnections();
    await new Promise((resolve) => void this.#http.close(resolve));
    rmSync(this.#built, { recursive: true, force: true });
  }

  async #serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const path = req.url?.split('?')[0] ?? '/';
    if (req.method === 'POST') {
      const offer = Buffer.concat(await req.toArray()).toString();
      res.writeHead(201, { 'Content-Type': 'application/sdp', Location: '/calls/1' }).end(await this.answer(offer));
      return;
    }
    const name = path === '/' ? '/index.html' : path;
    try {
      const body = readFileSync(join(name.startsWith('/peer') ? source : this.#built, name));
      res.writeHead(200, { 'Content-Type': types[extname(name)] ?? 'text/plain' }).end(body);
    } catch {
      res.writeHead(404).end();
    }
  }
}
