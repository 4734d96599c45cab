// The output of `tidings completion` and `tidings complete`; the shells themselves: completion-in-shells.test.ts.
import { shellScripts } from '../../packages/hub/src/completion/shell-scripts.ts';
import { liveServer } from '@tidings/live';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NotesUpstream } from '../hub/notes-upstream.ts';
import { type RunningHub, runningHub } from '../hub/running-hub.ts';
import { tidingsCommand } from './hosted-tidings.ts';

let notes: NotesUpstream;
let hub: RunningHub;

beforeAll(async () => {
  notes = await NotesUpstream.start('modern');
  notes.put('a', 'one');
  notes.put('b', 'two');
  hub = await runningHub({ servers: [notes.entry('notes')] });
  await hub.isLive('notes');
});

afterAll(async () => {
  await hub[Symbol.asyncDispose]();
  await notes[Symbol.asyncDispose]();
});

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
    [
      ['up', '--log-level='],
      ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'].map((level) => `--log-level=${level}`),
    ],
    [['up', '--log-level=in'], ['--log-level=info']],
    [['up', '--demo=in'], []],
    [['up', '--config=in'], []],
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
    [['read', 'note://a', '--', 'no'], [':files']],
    [['list', '--', 'node', '--'], [':files']],
  ])('%j', async (words, expected) => {
    expect(await complete(...words)).toEqual(expected);
  });
});

test('tidings complete offers no flag as the name of a server, and describes it in plain characters', async () => {
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
