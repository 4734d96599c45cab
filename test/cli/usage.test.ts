import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { tidingsCommand } from './hosted-tidings.ts';
import { tidings } from './tidings-process.ts';

describe('the help of tidings', () => {
  test('--version', async () => {
    const manifest = new URL('../../packages/hub/package.json', import.meta.url);
    const { version }: { version: string } = JSON.parse(await readFile(manifest, 'utf8'));
    expect(await tidings(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  });

  test.each([
    '--help',
    'serve --help',
    'serve counter --help',
    'serve files --help',
    'list --help',
    'read --help',
    'watch --help',
    'init --help',
    'up --help',
    'import --help',
    'export --help',
    'doctor --help',
    'call --help',
    'prompt --help',
    'connect --help',
    'hook --help',
  ])('%s', async (command) => {
    const { code, stdout, stderr } = await tidingsCommand(command.split(' '));
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Usage: tidings /);
    expect(stderr).toBe('');
  });

  test('help COMMAND prints the help of that command, and refuses an unknown one', async () => {
    for (const words of [[], ['read'], ['config', 'push'], ['serve', 'counter']]) {
      expect(await tidingsCommand(['help', ...words])).toEqual(await tidingsCommand([...words, '--help']));
    }
    expect(await tidingsCommand(['help', 'raed'])).toEqual({
      code: 2,
      stdout: '',
      stderr: "error: unknown command 'raed'\n(Did you mean read?)\n(add --help for what is possible)\n",
    });
  });

  test('names its arguments before its options, as all commands do', async () => {
    for (const [command, usage] of [
      ['login', 'SERVER [options]'],
      ['logout', 'SERVER [options]'],
      ['trust', 'SERVER [options]'],
      ['import', '[FILE…] [options]'],
      ['read', 'URI [options] [-- command args…]'],
    ] as const) {
      const { stdout } = await tidingsCommand([command, '--help']);
      expect(stdout.split('\n')[0]).toBe(`Usage: tidings ${command} ${usage}`);
    }
  });

  test.each([
    ['serve files', 8],
    ['list', 7],
    ['call', 4],
    ['prompt', 4],
    ['connect', 2],
    ['hook', 4],
    ['backup', 2],
    ['restore', 3],
    ['history', 3],
    ['read', 3],
    ['watch', 3],
    ['init', 6],
    ['up', 13],
    ['audit', 6],
    ['config push', 2],
    ['config show', 2],
    ['config remove', 2],
    ['import', 6],
    ['export', 4],
    ['doctor', 6],
  ])('every flag of %s has its environment variable, and its help has examples', async (command, count) => {
    const { stdout } = await tidingsCommand([...command.split(' '), '--help']);
    const flags = stdout.match(/^ {2}(?!-h,)--\w+/gm) ?? [];
    expect(flags).toHaveLength(count);
    if (!command.startsWith('serve ')) expect(stdout).toContain(`Examples:\n  tidings ${command}`);
    expect(stdout.match(/env:\s+TIDINGS_\w+\)/g)).toHaveLength(flags.length);
  });

  test('the help of every command has examples, and fits on a screen: 40 lines of 100 columns', async () => {
    const { stdout: all } = await tidingsCommand(['--help']);
    const headings = ['Run:', 'Look at servers, or at a running hub:', 'Data:', 'Operate:'];
    const { stdout: servers } = await tidingsCommand(['serve', '--help']);
    const named = (help: string, heading: string) =>
      [...(help.split(`${heading}\n`)[1]?.split('\n\n')[0] ?? '').matchAll(/^ {2}(\w+)/gm)].map(
        ([, name = '']) => name,
      );
    const commands = headings.flatMap((heading) => named(all, heading));
    expect(all).not.toContain('Commands:');
    expect(commands).toContain('completion');
    const served = named(servers, 'Servers:').map((name) => ['serve', name]);
    expect(served.length).toBeGreaterThan(3);
    for (const words of [[], ...commands.map((name) => [name]), ...served]) {
      const { stdout } = await tidingsCommand([...words, '--help']);
      const [command] = words;
      if (words.length === 1) expect(stdout).toMatch(new RegExp(`\nExamples:\n.*tidings ${command}\\b`));
      const lines = stdout.trimEnd().split('\n');
      const tooWide = lines.filter((line) => line.length > 100);
      expect({ words, height: lines.length > 40 ? lines.length : 'fits', tooWide }).toEqual({
        words,
        height: 'fits',
        tooWide: [],
      });
      const flags = stdout.match(/^ {2}(?!-h,|-V,)--\w+/gm) ?? [];
      expect({ words, variables: stdout.match(/env:\s+TIDINGS_\w+\)/g)?.length ?? 0 }).toEqual({
        words,
        variables: flags.length,
      });
    }
  });

  test('without a name, serve lists the servers', async () => {
    const { code, stdout, stderr } = await tidings(['serve']);
    expect(code).toBe(2);
    expect(stdout).toBe('');
    for (const name of ['counter', 'files', 'clock']) expect(stderr).toMatch(new RegExp(`^  ${name} +\\w`, 'm'));
  });

  test('help loads neither the protocol nor the database, which take most of the start time', async () => {
    const refuse = `let bytes = 0;
    export const load = async (url, context, next) => {
      const loaded = await next(url, context);
      bytes += loaded.source?.length ?? 0;
      if (bytes > 500_000) throw new Error('loads too much');
      return loaded;
    };`;
    const url = (code: string) => `data:text/javascript,${encodeURIComponent(code)}`;
    const hooks = url(`import { register } from 'node:module'; register(${JSON.stringify(url(refuse))});`);
    const nodeOptions = ['--import', hooks];
    expect(await tidings(['serve', '--help'], { nodeOptions })).toMatchObject({ code: 0, stderr: '' });
    const serving = await tidings(['serve', 'counter'], { nodeOptions });
    expect(serving).toMatchObject({ code: 1, stderr: expect.stringContaining('loads too much') });
  });

  test('an old Node gets one line of advice', async () => {
    const older = `data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'18.20.4'}})`;
    expect(await tidings(['--version'], { nodeOptions: ['--import', older] })).toEqual({
      code: 1,
      stdout: '',
      stderr: 'Tidings needs Node 20.19 or newer; this is 18.20.4.\n',
    });
  });
});

describe('wrong usage exits with 2, names the mistake and prints nothing on stdout', () => {
  test.each([
    ['sevre', 'Did you mean serve?'],
    ['serve countr', 'Did you mean counter?'],
    ['serve teapot', 'servers: obs, schedules, vcon, counter, files, clock'],
    ['serve counter --port abc', "argument 'abc' is invalid. A port is a number"],
    ['serve counter --port 65536', 'from 0 to 65535'],
    ['serve counter --port -1', 'from 0 to 65535'],
    ['serve counter --port 1.5', 'from 0 to 65535'],
    ['serve counter --prot 1', 'Did you mean --port?'],
    ['serve counter extra', 'too many arguments'],
    ['serve obs --obs-url http://127.0.0.1:4455', 'a URL such as ws://127.0.0.1:4455'],
    ['serve obs --obs-url ws://:secret@127.0.0.1:4455', 'TIDINGS_OBS_PASSWORD'],
    ['serve files', "required option '--folder <dir>' not specified"],
    ['serve files --folder /no/such', 'There is no such folder.'],
    ['serve counter --port 0 --host 0.0.0.0', 'TIDINGS_TOKEN'],
    ['serve counter --host 0.0.0.0', '--host changes nothing here: without --port'],
    ['serve counter --json', '--json changes nothing here: without --port'],
    ['up --advertise http://127.0.0.1:7411', '--advertise changes nothing here: it is for several nodes'],
    ['completion tcsh', 'Allowed choices are bash, zsh, fish'],
  ])('tidings %s', async (command, says) => {
    const { code, stdout, stderr } = await tidingsCommand(command.split(' '));
    expect(stderr).toContain(says);
    expect(stdout).toBe('');
    expect(code).toBe(2);
  });

  test('an invalid variable is named', async () => {
    const { code, stderr } = await tidingsCommand(['serve', 'counter'], { env: { TIDINGS_PORT: 'abc' } });
    expect(stderr).toContain("from env 'TIDINGS_PORT' is invalid");
    expect(code).toBe(2);
  });
});
