import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectHttp, eventually } from '@tidings/live/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { runningHub } from '../hub/running-hub.ts';
import { connectOldHttp } from '../support/wire/old-sdk-client.ts';
import { serveOld } from '../support/wire/old-server.ts';
import { isAlive, started, startedOld } from './look-at.ts';
import { HostedTidings, serveOverHttp, tidingsCommand } from './hosted-tidings.ts';
import { TidingsProcess } from './tidings-process.ts';

interface Event {
  type: string;
  uri?: string;
  uris?: string[];
  added?: string[];
  removed?: string[];
  whileAway?: boolean;
  change?: { kind: string; changes?: { path: string; before?: unknown; after?: unknown }[]; lines?: string[] };
  reason?: string;
  problem?: string;
  time: string;
}

/** A watch with --json, and its events so far. */
class Watch<P extends TidingsProcess | HostedTidings = HostedTidings> {
  readonly process: P;

  private constructor(process: P) {
    this.process = process;
  }

  static hosted(...args: string[]): Watch {
    return new Watch(new HostedTidings(['watch', '--json', ...args]));
  }

  /** Runs the watch in a process of its own. */
  static apart(...args: string[]): Watch<TidingsProcess> {
    return new Watch(new TidingsProcess(['watch', '--json', ...args]));
  }

  get events(): Event[] {
    const lines = this.process.stdout.split('\n').slice(0, -1);
    return lines.map((line) => JSON.parse(line));
  }

  async tells(what: string, check: (event: Event) => boolean): Promise<Event> {
    return eventually(`${what} (so far: ${this.process.stdout}${this.process.stderr})`, () => this.events.find(check));
  }
}

async function folderWith(files: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-cli-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return folder;
}

const isWatching = ({ type }: Event) => type === 'watching';

/** The event that `change` leads to. */
async function told(watch: Pick<Watch, 'tells'>, uri: string, change: () => Promise<unknown>): Promise<Event> {
  await watch.tells('what it watches', isWatching);
  await change();
  return watch.tells(`an update of ${uri}`, (event) => event.type === 'updated' && event.uri === uri);
}

describe('tidings watch', () => {
  test('reports the changes in a resource of a server over HTTP', async () => {
    const { url } = await serveOverHttp('counter');
    const client = await connectHttp(url, 'modern');
    onTestFinished(() => client.close());
    const watch = Watch.hosted('--server', url);
    const { uris } = await watch.tells('what it watches', isWatching);
    expect(uris).toEqual(['counter://value']);
    const { change } = await told(watch, 'counter://value', () => client.call('increment'));
    expect(change).toMatchObject({ kind: 'json', changes: [{ path: 'value', op: 'changed' }] });
    const { code, stderr } = await watch.process.end('SIGINT');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  test('reports changes of a server of the 1.x SDK, also those during a lost connection', async () => {
    const first = await serveOld();
    const client = await connectOldHttp(first.url);
    const watch = Watch.hosted('old://number', '--server', first.url);
    const { change } = await told(watch, 'old://number', () => client.call('increment'));
    expect(change).toMatchObject({ kind: 'json', changes: [{ path: 'number', op: 'changed' }] });
    await first.end();
    await watch.tells('that it is lost', ({ type }) => type === 'lost');
    await serveOld(Number(new URL(first.url).port), 100);
    await watch.tells('that it is back', ({ type }) => type === 'back');
    const later = await watch.tells('what changed meanwhile', ({ whileAway }) => whileAway === true);
    expect(later).toMatchObject({ uri: 'old://number', change: { changes: [{ path: 'number', after: 100 }] } });
    expect((await watch.process.end('SIGTERM')).code).toBe(0);
  });

  test('listens again after a modern server was restarted', async () => {
    const { server, url } = await serveOverHttp('counter');
    const { port } = new URL(url);
    const watch = Watch.hosted('--server', url);
    await watch.tells('what it watches', isWatching);
    await server.end('SIGTERM');
    await watch.tells('that it is lost', ({ type }) => type === 'lost');
    const again = new HostedTidings(['serve', 'counter', '--port', port]);
    await again.line();
    await watch.tells('that it is back', ({ type }) => type === 'back');
    const client = await connectHttp(url, 'modern');
    onTestFinished(() => client.close());
    await told(watch, 'counter://value', () => client.call('increment'));
  });

  test('follows the resources that match a pattern, and shows texts line by line', async () => {
    const folder = await folderWith({ 'log-1.txt': 'one\n', 'other.txt': 'x' });
    const watch = Watch.hosted('files:///log*', ...started('files', '--folder', folder));
    const { uris } = await watch.tells('what it watches', isWatching);
    expect(uris).toEqual(['files:///log-1.txt']);
    const append = () => appendFile(join(folder, 'log-1.txt'), 'two\n');
    const { change } = await told(watch, 'files:///log-1.txt', append);
    expect(change?.kind).toBe('text');
    expect(change?.lines).toContain('+two');

    await writeFile(join(folder, 'another.txt'), 'not asked for');
    await writeFile(join(folder, 'log-2.txt'), 'new');
    const { added } = await watch.tells('that one came', ({ type }) => type === 'list_changed');
    expect(added).toEqual(['files:///log-2.txt']);
    await told(watch, 'files:///log-2.txt', () => appendFile(join(folder, 'log-2.txt'), 'er\n'));
    await rm(join(folder, 'log-2.txt'));
    await watch.tells('that it went', ({ removed }) => removed?.includes('files:///log-2.txt') === true);
    expect(watch.process.stdout).not.toContain('other');
  });

  test('polls a server that announces nothing', async () => {
    const watch = Watch.hosted('old://number', ...startedOld('--unannounced'));
    const { problem } = await watch.tells('that it is polled', ({ type }) => type === 'problem');
    expect(problem).toBe('not_announced');
    expect((await watch.tells('what it watches', isWatching)).uris).toEqual(['old://number']);
    expect((await watch.process.end('SIGINT')).code).toBe(0);
  });

  test('fails for a server without resources', async () => {
    const script = `
      process.stdin.on('data', (data) => {
        for (const line of String(data).trim().split('\\n')) {
          const { id, method, params } = JSON.parse(line);
          if (id === undefined) continue;
          const result = { protocolVersion: params?.protocolVersion, capabilities: {}, serverInfo: { name: 'bare', version: '1' } };
          const answer = method === 'initialize' ? { result } : { error: { code: -32601, message: 'Method not found' } };
          console.log(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
        }
      });`;
    const { code, stderr } = await tidingsCommand(['watch', '--', process.execPath, '-e', script]);
    expect(stderr).toMatch(/has no resources, so there is nothing to watch\.\n$/);
    expect(code).toBe(1);
  });

  test('ends if no server has a named URI or a template for it', async () => {
    await using hub = await runningHub();
    const watching = await tidingsCommand(['watch', 'nope://x', '--hub', hub.url]);
    expect(watching).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/has no resource nope:\/\/x\. "tidings list"/),
    });
    expect(watching.stdout).toBe('');
  });

  test('watches a URI that is not listed', async () => {
    const watch = Watch.hosted('clock://now/Europe%2FOslo', ...started('clock'));
    const { change } = await watch.tells('a tick', ({ type }) => type === 'updated');
    expect(change?.changes?.[0]).toMatchObject({ path: 'time', op: 'changed' });
  });

  test('restarts a server that has ended, and leaves no process behind', async () => {
    const watch = Watch.apart(...startedOld());
    await watch.tells('what it watches', isWatching);
    const first = await childOf(watch.process);
    process.kill(first, 'SIGKILL');
    await watch.tells('that it is lost', ({ type }) => type === 'lost');
    await watch.tells('that it is back', ({ type }) => type === 'back');
    const second = await childOf(watch.process);
    expect(second).not.toBe(first);
    const { code } = await watch.process.end('SIGINT');
    expect(code).toBe(0);
    await eventually('its end', () => !isAlive(second));
  });

  test('describes each change in words', async () => {
    const { url } = await serveOverHttp('counter');
    const client = await connectHttp(url, 'legacy');
    onTestFinished(() => client.close());
    const watch = new HostedTidings(['watch', 'counter://value', 'nope://x', '--server', url]);
    await eventually('a complaint', () => watch.stdout.includes('nope://x: cannot be read now'));
    await eventually('what it watches', () => watch.stdout.includes(`watching 1 resource of ${url}`));
    await client.call('increment', { by: 41 });
    await eventually('the change', () => watch.stdout.includes('value: 0 → 41'));
    expect(watch.stdout).toMatch(/^\d\d:\d\d:\d\d {2}counter:\/\/value\n {10}value: 0 → 41$/m);
    expect((await watch.end('SIGINT')).code).toBe(0);
  });

  test('ends when the reader of its output closes the pipe', async () => {
    const watch = Watch.apart('clock://now', ...started('clock'));
    await watch.tells('what it watches', isWatching);
    watch.process.child.stdout.destroy();
    expect(await watch.process.ended).toMatchObject({ code: 0, stderr: '' });
  });

  test('fails at once if no hub answers', async () => {
    const { code, stdout, stderr } = await tidingsCommand(['watch', '--hub', 'http://127.0.0.1:65123']);
    expect(stderr).toContain('No hub answers');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  });
});

/** The server that this process has started; the tracker's watchdog is another child. */
async function childOf({ child }: TidingsProcess): Promise<number> {
  const { execFileSync } = await import('node:child_process');
  const found = execFileSync('pgrep', ['-P', String(child.pid), '-f', 'old-server'], { encoding: 'utf8' });
  return Number(found.trim());
}
