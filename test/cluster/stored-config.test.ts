// The configuration in the database: nodes without a configuration file use it, also after edits.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@tidings/live/testing';
import { expect, it, onTestFinished } from 'vitest';
import { tidingsCommand } from '../cli/hosted-tidings.ts';
import { NotesUpstream } from '../hub/notes-upstream.ts';
import { describeWith } from '../support/run/needs.ts';
import { postgresNeed } from '../support/service/postgres.ts';
import { freshDatabase } from '../support/service/shared-postgres.ts';
import { serversSchema } from '../support/wire/strict-answers.ts';
import { NodeProcess } from './cluster-of-processes.ts';

async function fileFor(): Promise<(document: unknown) => Promise<string>> {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-config-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'servers.json');
  return async (document) => {
    await writeFile(file, typeof document === 'string' ? document : JSON.stringify(document));
    return file;
  };
}

describeWith(postgresNeed, 'a configuration in the database', () => {
  it('is used by nodes without a file, at their start and after each edit, with secrets from their environment', async () => {
    await using upstream = await NotesUpstream.start('modern');
    upstream.put('a', 'text');
    const place = await freshDatabase();
    const write = await fileFor();
    const { url } = upstream.entry('notes');
    const notes = { id: 'notes', url, headers: { Authorization: 'Bearer ${NOTES_TOKEN}' }, trackResources: true };
    const config = (...args: string[]) => tidingsCommand(['config', ...args, '--data', place]);
    const pushed = await config('push', await write({ servers: [notes] }), '--json');
    expect(JSON.parse(pushed.stdout)).toEqual({ servers: ['notes'], variables: ['NOTES_TOKEN'] });
    expect(JSON.parse((await config('show')).stdout)).toEqual({ servers: [notes] });

    const options = { place, env: { NOTES_TOKEN: 'secret' }, args: ['--trust'] };
    const nodes = await Promise.all([NodeProcess.start(options), NodeProcess.start(options)]);
    const serverIds = async (node: NodeProcess) =>
      serversSchema.parse(await node.json('/api/servers')).servers.map(({ id }) => id);
    const allHave = (...ids: string[]) =>
      eventually(`all nodes to have ${ids.join()}`, async () => {
        const each = await Promise.all(nodes.map(serverIds));
        return each.every((some) => some.join() === ids.join());
      });
    await allHave('notes');

    await config('push', await write({ servers: [notes, { ...notes, id: 'more' }] }));
    await allHave('notes', 'more');

    await config('remove');
    await allHave('vcon', 'schedules', 'obs');
    expect(await config('show')).toMatchObject({ code: 1, stderr: expect.stringContaining('tidings config push') });
  });

  it('can only add addresses to connect to, unless the node was started with --trust', async () => {
    const place = await freshDatabase();
    const write = await fileFor();
    const push = async (document: object) => tidingsCommand(['config', 'push', await write(document), '--data', place]);
    const plain = { id: 'plain', url: 'http://127.0.0.1:9/mcp' };
    const env = { API_KEY: 'secret' };
    const powers: [object, string][] = [
      [{ servers: [{ id: 'program', command: 'true' }] }, 'start commands'],
      [{ servers: [{ ...plain, headers: { 'X-Api-Key': '${API_KEY}' } }] }, 'send values of your environment'],
      [{ servers: [plain], tokens: [{ env: 'API_KEY' }] }, 'let others use the hub'],
    ];
    await push({ servers: [plain] });
    const node = await NodeProcess.start({ place, env });
    for (const [document, words] of powers) {
      expect(await push(document)).toMatchObject({ code: 0 });
      await eventually(`the node to refuse to ${words}`, () => node.stderr.includes(`would now ${words}`));
      const { servers } = serversSchema.parse(await node.json('/api/servers'));
      expect(servers.map(({ id }) => id)).toEqual(['plain']);
      // A node that starts refuses too, because there is no terminal for the question.
      const started = await tidingsCommand(['up', '--port', '0', '--data', place], { env, cwd: tmpdir() });
      expect(started).toMatchObject({ code: 1, stderr: expect.stringContaining(`would ${words}. Review it with`) });
    }
  });

  it('is checked before it is stored, and contains no secret', async () => {
    const place = await freshDatabase();
    const write = await fileFor();
    const push = async (document: unknown) =>
      tidingsCommand(['config', 'push', await write(document), '--data', place]);
    const notes = { id: 'notes', url: 'https://example.com/mcp' };
    const refused: [unknown, string][] = [
      ['{', 'This is not JSON'],
      [{ servers: [{ id: 'Notes', url: 'https://example.com' }] }, 'servers[0] ("Notes"): id'],
      [{ servers: [{ id: 'x', builtin: 'nothing' }] }, 'there is no built-in server "nothing"'],
      [
        { servers: [{ ...notes, headers: { Authorization: 'Bearer abc' } }] },
        'notes: headers.Authorization: looks like',
      ],
      [{ servers: [{ id: 'x', command: 'true', env: { API_KEY: 'abc' } }] }, 'x: env.API_KEY: looks like a secret'],
      [{ servers: [{ ...notes, url: 'https://me:abc@example.com/mcp' }] }, 'notes: url: looks like a secret'],
      [{ servers: [], tokens: [{ env: 'READER', redact: 'nothing' }] }, 'tokens[0]: redact'],
    ];
    for (const [document, reason] of refused) {
      expect(await push(document)).toMatchObject({ code: 1, stderr: expect.stringContaining(reason) });
    }
    expect(await tidingsCommand(['config', 'show', '--data', place])).toMatchObject({ code: 1, stdout: '' });
    const onFolder = await tidingsCommand(['config', 'push', await write({ servers: [] }), '--data', tmpdir()]);
    expect(onFolder).toMatchObject({ code: 2, stderr: expect.stringContaining('--data postgres://') });
  });
});
