// Completion in the shells that are there: the printed script, evaluated by the shell itself.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { shellScripts } from '../../packages/hub/src/completion/shell-scripts.ts';
import { liveServer } from '@tidings/live';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NotesUpstream } from '../hub/notes-upstream.ts';
import { type RunningHub, runningHub } from '../hub/running-hub.ts';
import { tidingsCommand } from './tidings-command.ts';
import { bin, cleanEnvironment } from './tidings-process.ts';

const execute = promisify(execFile);

let notes: NotesUpstream;
let hub: RunningHub;
let folder: string;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  notes = await NotesUpstream.start('modern');
  notes.put('a', 'one');
  notes.put('b', 'two');
  hub = await runningHub({ servers: [notes.entry('notes')] });
  await hub.isLive('notes');
  folder = await mkdtemp(join(tmpdir(), 'tidings-completion-'));
  await mkdir(join(folder, 'bin'));
  await symlink(bin, join(folder, 'bin', 'tidings'));
  await writeFile(join(folder, 'servers.json'), '{}');
  for (const [shell, script] of Object.entries(shellScripts)) await writeFile(join(folder, `tidings.${shell}`), script);
  const path = `${join(folder, 'bin')}:${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`;
  env = { ...cleanEnvironment(), PATH: path, TIDINGS_HUB: hub.url, HOME: folder };
});

afterAll(async () => {
  await hub[Symbol.asyncDispose]();
  await notes[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

async function output(shell: string, ...args: string[]): Promise<string[]> {
  const { stdout } = await execute(shell, args, { env, cwd: folder });
  return stdout.split('\n').filter((line) => line !== '');
}

test.each(['bash', 'zsh', 'fish'] as const)('tidings completion %s prints the script', async (shell) => {
  expect(await tidingsCommand(['completion', shell])).toEqual({ code: 0, stdout: shellScripts[shell], stderr: '' });
});

describe('tidings complete', () => {
  const complete = async (...words: string[]) => {
    const { code, stdout, stderr } = await tidingsCommand(['complete', '--', ...words], {
      env: { TIDINGS_HUB: hub.url },
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return stdout.split('\n').flatMap((line) => line.split('\t')[0] || []);
  };

  test.each<[string[], string[]]>([
    [['com'], ['completion']],
    [
      ['init', 'cl'],
      ['claude-desktop', 'claude-code'],
    ],
    [['serve', 'v'], ['vcon']],
    [['up', '--de'], ['--demo']],
    [['serve', 'obs', '--obs-u'], ['--obs-url']],
    [
      ['up', '--log-level', ''],
      ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'],
    ],
    [['up', '--config', ''], [':files']],
    [['import', 'a.json', ''], [':files']],
    [['backup', 'a.tar.gz', ''], []],
    [
      ['read', 'note://'],
      ['note://a', 'note://b'],
    ],
    [['read', 'note://a', ''], []],
    [['watch', 'note://a', 'note://b'], ['note://b']],
    [['history', '--json', 'note://a'], ['note://a']],
    [['trust', ''], ['notes']],
    [['call', ''], ['notes']],
    [['call', 'notes', 'put'], ['put_note']],
    [['prompt', 'notes', ''], ['about_note']],
    [['read', '--hub', 'http://127.0.0.1:1', 'note://'], []],
    [['call', 'nope', ''], []],
  ])('%j', async (words, expected) => {
    expect(await complete(...words)).toEqual(expected);
  });
});

test('tidings complete offers no flag in the name of a server, and describes it in plain characters', async () => {
  const server = liveServer({ name: 'hostile', version: '1.0.0' });
  const answer = () => ({ content: [] });
  server.tool('--json', { description: 'A flag' }, answer);
  server.tool('plain', { description: `one\u202etwo\n\u001b[2J${'x'.repeat(5000)}` }, answer);
  await using odd = await runningHub({
    servers: [{ id: 'hostile', builtin: 'hostile', enabled: true, trackResources: true }],
    builtins: { hostile: async () => server },
  });
  await odd.isLive('hostile');
  const { stdout } = await tidingsCommand(['complete', '--', 'call', 'hostile', ''], { env: { TIDINGS_HUB: odd.url } });
  expect(stdout).toMatch(/^plain\tone two \[2Jx{180,200}…\n$/);
});

describe('bash', () => {
  const bash = (line: string) =>
    output(
      'bash',
      '--norc',
      '-c',
      `source tidings.bash
       COMP_LINE=$1 COMP_POINT=\${#1}
       _tidings
       printf '%s\\n' "\${COMPREPLY[@]}"`,
      'bash',
      line,
    );

  test('completes commands, and URIs, of which it has all before the last colon', async () => {
    expect(await bash('tidings comp')).toEqual(['completion']);
    expect(await bash('tidings read note://')).toEqual(['//a', '//b']);
  });
});

describe.skipIf(!existsSync('/usr/bin/fish'))('fish (skipped where it is not installed)', () => {
  const fish = (line: string) => output('fish', '--no-config', '-c', `source tidings.fish; complete -C "${line}"`);

  test('completes URIs with their names, and files', async () => {
    expect(await fish('tidings read note://')).toEqual(['note://a\ta', 'note://b\tb']);
    expect(await fish('tidings up --config serv')).toEqual([expect.stringMatching(/^servers\.json/)]);
  });
});

describe.skipIf(!existsSync('/usr/bin/zsh'))('zsh (skipped where it is not installed)', () => {
  // Its completion runs in its line editor only, which needs a terminal: what it would offer is captured.
  const zsh = (...words: string[]) =>
    output(
      'zsh',
      '--no-rcs',
      '-c',
      `compdef() {}
       source tidings.zsh
       _describe() { print -rl -- \${(P)argv[-1]} }
       _files() { print files }
       words=("$@") CURRENT=$#
       _tidings`,
      'zsh',
      'tidings',
      ...words,
    );

  test('completes URIs with their names, and files', async () => {
    expect(await zsh('read', 'note://')).toEqual(['note\\://a:a', 'note\\://b:b']);
    expect(await zsh('up', '--config', '')).toEqual(['files']);
  });
});
