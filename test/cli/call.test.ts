// `tidings call` and `tidings prompt`: tools and prompts of a hub's servers, or of a single server.
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { NotesUpstream } from '../hub/notes-upstream.ts';
import { runningHub } from '../hub/running-hub.ts';
import { started } from './look-at.ts';
import { tidingsCommand } from './hosted-tidings.ts';
import { TidingsProcess } from './tidings-process.ts';

async function hubWithNotes() {
  const upstream = await NotesUpstream.start('modern');
  const hub = await runningHub({ servers: [upstream.entry('notes')] });
  await hub.isLive('notes');
  return {
    upstream,
    run: (...args: string[]) => tidingsCommand([...args, '--hub', hub.url]),
    url: hub.url,
    [Symbol.asyncDispose]: async () => {
      await hub[Symbol.asyncDispose]();
      await upstream[Symbol.asyncDispose]();
    },
  };
}

describe('tidings call', () => {
  test('calls a tool of a server behind the hub, with JSON, with single arguments, and with both', async () => {
    await using hub = await hubWithNotes();
    expect(await hub.run('call', 'notes', 'put_note', '{"name":"a","text":"one"}')).toMatchObject({
      code: 0,
      stderr: '',
    });
    expect(hub.upstream.notes.get('a')).toBe('one');
    await hub.run('call', 'notes', 'put_note', '--arg', 'name=b', '--arg', 'text=2 = two');
    expect(hub.upstream.notes.get('b')).toBe('2 = two');
    await hub.run('call', 'notes', 'put_note', '{"name":"c","text":"x"}', '--arg', 'text=3');
    expect(hub.upstream.notes.get('c')).toBe('3');
  });

  test('takes arguments from stdin', async () => {
    await using hub = await hubWithNotes();
    const call = new TidingsProcess(['call', 'notes', 'put_note', '-', '--hub', hub.url]);
    call.child.stdin.end('{"name":"a","text":"from stdin"}');
    expect(await call.ended).toMatchObject({ code: 0, stderr: '' });
    expect(hub.upstream.notes.get('a')).toBe('from stdin');
  });

  test('prints the whole result with --json', async () => {
    await using hub = await hubWithNotes();
    const { stdout } = await hub.run('call', 'notes', 'put_note', '{"name":"a","text":"x"}', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ structuredContent: { saved: 'a' } });
  });

  test('calls a tool of a server that is started for it', async () => {
    expect(await tidingsCommand(['call', 'increment', ...started('counter')])).toMatchObject({ code: 0, stderr: '' });
  });

  test('writes the messages of a prompt', async () => {
    await using hub = await hubWithNotes();
    expect(await hub.run('prompt', 'notes', 'about_note', '--arg', 'name=a')).toMatchObject({
      code: 0,
      stdout: 'user: Tell me about a.\n',
    });
    expect((await hub.run('list', '--prompts')).stdout).toMatch(/notes_about_note +name$/m);
  });

  test.each([
    [['call', 'notes', 'put_not'], 1, 'Did you mean put_note?'],
    [['call', 'nowhere', 'put_note'], 1, 'has no server "nowhere". "tidings list --servers" shows those it has.'],
    [['call', 'notes_put_note'], 2, 'tidings call SERVER TOOL [JSON]. "tidings list --servers" shows the servers'],
    [['call', 'notes_put_note', '{"name": "a"}'], 2, 'tidings call SERVER TOOL [JSON]. "tidings list --servers"'],
    [['call', 'list_changes'], 2, 'tidings call list_changes [JSON] --server http://127.0.0.1:'],
    [['call', 'wait_for_change', '{"uris": []}'], 2, 'is a tool of the hub itself, not a server'],
    [['call', 'notes', 'put_note', '{"name":'], 2, 'are not JSON'],
    [['call', 'notes', 'put_note', '[1]'], 2, 'not a JSON object'],
    [['call', 'notes', 'put_note', '--arg', 'nam=a'], 2, 'Did you mean "name"?'],
    [['call', 'notes', 'put_note', '--arg', 'name'], 2, '--arg is name=value'],
    [['call', 'notes', 'put_note', '{}'], 1, 'name'],
    [['prompt', 'notes', 'nothing'], 1, 'There is no prompt "nothing"'],
    [['prompt', 'notes', 'about_note'], 2, 'The prompt needs an argument: --arg name=…'],
  ])('%j fails with %i and this advice: %s', async (args, code, says) => {
    await using hub = await hubWithNotes();
    expect(await hub.run(...args)).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(says) });
  });
});

describe('a started server that fails and does not say why', () => {
  const where = ['--', process.execPath, fileURLToPath(new URL('../fixtures/failing-server.js', import.meta.url))];

  test.each([
    ['list', 'INTERNAL: '],
    ['read failing://x', 'INTERNAL: '],
    ['call fail', ''],
    ['prompt fail', 'INTERNAL: '],
  ])('%s: the message ends with what it wrote on stderr', async (command, code) => {
    const { stderr, ...ended } = await tidingsCommand([...command.split(' '), ...where]);
    expect(ended).toEqual({ code: 1, stdout: '' });
    const [message, heading, ...lines] = stderr.split('\n');
    expect(message).toBe(`error: ${code}The server failed to answer. The reason is in its log.`);
    expect(heading).toBe('It wrote on stderr:');
    expect(lines.join('\n')).toContain('the disk is full');
  });

  test('call with --json: the result is on stdout, and the reason on stderr', async () => {
    const { code, stdout, stderr } = await tidingsCommand(['call', 'fail', '--json', ...where]);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ isError: true });
    expect(stderr).toMatch(/^error: The tool failed\.\nIt wrote on stderr:\n[^]+the disk is full/);
  });
});
