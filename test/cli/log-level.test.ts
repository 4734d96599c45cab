// What servers and the hub log on stderr, and that --log-level decides about all of it.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type Ended, TidingsProcess } from './tidings-process.ts';

const notJsonRpc = 'A message on stdio could not be handled: it is not JSON-RPC.';
const ofPino = { time: expect.any(Number), pid: expect.any(Number), hostname: expect.any(String) };

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'tidings-log-'));
  onTestFinished(() => rm(path, { recursive: true, force: true, maxRetries: 5 }));
  return path;
}

/** The records that were written on stderr. */
const recordsOf = ({ stderr }: Ended): unknown[] =>
  stderr
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));

/** What a server logs that gets a message which is not JSON-RPC. */
async function complaintsOf(...args: string[]): Promise<unknown[]> {
  const server = new TidingsProcess(['serve', ...args]);
  server.child.stdin.end('[]\n');
  return recordsOf(await server.ended);
}

test.each(['counter', 'clock', 'files', 'vcon', 'schedules', 'obs'])(
  '%s reports a message that is not JSON-RPC in one record of the log',
  async (name) => {
    const data = await folder();
    const args = [name, '--data', data, ...(name === 'files' ? ['--folder', data] : [])];
    // No further field: the error of the schema would fill a page.
    expect(await complaintsOf(...args)).toEqual([{ ...ofPino, level: 40, msg: notJsonRpc }]);
  },
);

test('a silent server reports nothing', async () => {
  expect(await complaintsOf('counter', '--log-level', 'silent')).toEqual([]);
});

test('a built-in server of the hub logs as the hub does, under its name', async () => {
  const data = await folder();
  const chat = { kind: 'slack', url_env: 'TIDINGS_TEST_NO_SUCH_VARIABLE' };
  await writeFile(join(data, 'destinations.json'), JSON.stringify({ destinations: { chat } }));
  const logOfHub = async (...more: string[]) => {
    const hub = new TidingsProcess(['up', '--port', '0', '--json', '--data', data, ...more]);
    await hub.line();
    return recordsOf(await hub.end('SIGTERM'));
  };

  expect(await logOfHub()).toEqual([expect.objectContaining({ server: 'schedules', destination: 'chat' })]);
  expect(await logOfHub('--log-level', 'silent')).toEqual([]);
});
