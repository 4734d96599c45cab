// nginx in front of a hub, with the documented configuration on another port and with its own certificate.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { eventually } from '@tidings/live/testing';
import { freePort } from './free-port.ts';
import { serviceNeed } from '../run/service-need.ts';

const program = '/usr/sbin/nginx';
const name = 'tidings.example.com';

export const nginxNeed = serviceNeed({
  what: 'nginx',
  isThere: existsSync(program),
  install: 'bash scripts/install-test-tools.sh',
});

export class Nginx implements AsyncDisposable {
  readonly origin: string;
  readonly #port: number;
  readonly #certificate: string;
  readonly #process: ChildProcess;
  readonly #folder: string;

  private constructor(port: number, folder: string, process: ChildProcess) {
    this.origin = `https://${name}:${port}`;
    this.#port = port;
    this.#certificate = readFileSync(join(folder, 'fullchain.pem'), 'utf8');
    this.#folder = folder;
    this.#process = process;
  }

  /** Starts in front of the hub at this address; resolves when it answers. */
  static async start(hub: string): Promise<Nginx> {
    const port = await freePort();
    const folder = await mkdtemp(join(tmpdir(), 'tidings-nginx-'));
    const documented = readFileSync(new URL('../../../docs/deploy/nginx.conf', import.meta.url), 'utf8');
    const site = documented
      .replace('127.0.0.1:7411', new URL(hub).host)
      .replace('listen 443', `listen 127.0.0.1:${port}`)
      .replaceAll(`/etc/letsencrypt/live/${name}`, folder);
    await mkdir(join(folder, 'temporary'));
    await writeFile(join(folder, 'site.conf'), site);
    await writeFile(join(folder, 'nginx.conf'), around(folder));
    const keys = ['-keyout', join(folder, 'privkey.pem'), '-out', join(folder, 'fullchain.pem')];
    const subject = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`];
    execFileSync(
      'openssl',
      ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', ...keys, ...subject],
      {
        stdio: 'ignore',
      },
    );
    const process = spawn(program, ['-p', folder, '-c', join(folder, 'nginx.conf')], { stdio: 'ignore' });
    const nginx = new Nginx(port, folder, process);
    await eventually('nginx to answer', async () => {
      const answer = await nginx.fetch(new Request(`${nginx.origin}/readyz`)).catch(() => undefined);
      return answer?.status === 200;
    });
    return nginx;
  }

  /** Sends a request to nginx under the documented host name, whatever host its URL has. */
  readonly fetch = async (given: Request): Promise<Response> => {
    const { pathname, search } = new URL(given.url);
    const body = given.body === null ? undefined : Buffer.from(await given.arrayBuffer());
    return new Promise((resolve, reject) => {
      const sent = request({
        host: '127.0.0.1',
        port: this.#port,
        servername: name,
        ca: this.#certificate,
        method: given.method,
        path: `${pathname}${search}`,
        headers: { ...Object.fromEntries(given.headers), host: `${name}:${this.#port}` },
        signal: given.signal,
      });
      sent.once('error', reject).once('response', (response) => {
        const { statusCode = 500, headers } = response;
        const shown = Object.entries(headers).map(([key, value]): [string, string] => [key, String(value)]);
        const isEmpty = statusCode === 204 || statusCode === 202 || statusCode === 304;
        const stream = ReadableStream.from(Readable.from(response));
        resolve(new Response(isEmpty ? null : stream, { status: statusCode, headers: shown }));
        if (isEmpty) response.resume();
      });
      sent.end(body);
    });
  };

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = new Promise((resolve) => this.#process.once('exit', resolve));
    this.#process.kill('SIGTERM');
    await ended;
    await rm(this.#folder, { recursive: true });
  }
}

/** The rest of a system's nginx.conf around a site, with all paths in the folder. */
function around(folder: string): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `  ${kind}_temp_path ${folder}/temporary/${kind};`,
  );
  return [
    'daemon off;',
    `pid ${folder}/nginx.pid;`,
    `error_log ${folder}/error.log;`,
    'events {}',
    'http {',
    '  access_log off;',
    ...temporary,
    `  include ${folder}/site.conf;`,
    '}',
    '',
  ].join('\n');
}
