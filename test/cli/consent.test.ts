// A configuration file that was found, not named, needs consent before its commands start: once, in a real terminal.
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { describeWith } from '../support/run/needs.ts';
import { bin, tidings } from './tidings-process.ts';
import { TmuxTerminal, tmuxNeed } from './tmux-terminal.ts';

async function found(args: string[]): Promise<{ home: string; configure: (args: string[]) => Promise<void> }> {
  const home = await mkdtemp(join(tmpdir(), 'tidings-consent-'));
  onTestFinished(() => rm(home, { recursive: true, force: true, maxRetries: 5 }));
  await mkdir(join(home, 'config'));
  const configure = (given: string[]) =>
    writeFile(
      join(home, 'config', 'mcp-servers.json'),
      JSON.stringify({ servers: [{ id: 'mine', command: process.execPath, args: given }] }),
    );
  await configure(args);
  return { home, configure };
}

const counter = [bin, 'serve', 'counter'];
const environment = (home: string) => ({ HOME: home, XDG_DATA_HOME: home, XDG_CONFIG_HOME: home });

describeWith(tmuxNeed, 'commands of a configuration that was found', () => {
  function terminal(home: string): { opened: TmuxTerminal; up: (flags?: string) => Promise<void> } {
    const opened = new TmuxTerminal({ columns: 200 });
    const variables = Object.entries(environment(home)).map(([name, value]) => `${name}='${value}'`);
    let runs = 0;
    const up = async (flags = '') => {
      runs += 1;
      const command = `${variables.join(' ')} '${bin}' up --port 0 ${flags}`;
      opened.type(`clear; echo run ${runs}; ${command}; echo end $?`, 'Enter');
      // The screen now shows this run.
      await opened.shows(new RegExp(`^run ${runs}`, 'm'));
    };
    opened.type(`cd '${home}'`, 'Enter');
    return { opened, up };
  }

  test('are shown and asked for once, and again when they change', async () => {
    const { home, configure } = await found(counter);
    const { opened, up } = terminal(home);
    await up();
    const question = await opened.shows('Agree to this, now and later? [y/N]');
    expect(question).toContain('mcp-servers.json was found here and would');
    expect(question).toContain('start mine: ');
    expect(question).toContain('serve counter');
    opened.type('n', 'Enter');
    expect(await opened.shows(/^end 1/m)).toContain('add --trust, or name it with --config');

    await up();
    await opened.shows('[y/N]');
    opened.type('y', 'Enter');
    await opened.shows('Tidings is up');
    opened.type('C-c');
    await opened.shows(/end 0/);

    await up();
    expect(await opened.shows('Tidings is up')).not.toContain('[y/N]');
    opened.type('C-c');
    await opened.shows(/end 0/);

    await configure([...counter, '--json']);
    await up();
    expect(await opened.shows('[y/N]')).toContain('--json');
    opened.type('C-c');
    expect(await opened.shows(/^end 1/m)).toMatch(/^error: .*add --trust/m);
    await up();
    await opened.shows('[y/N]');
    opened.type('C-d');
    expect(await opened.shows(/^end 1/m)).toMatch(/^error: .*add --trust/m);
    await up('--trust');
    expect(await opened.shows('Tidings is up')).not.toContain('[y/N]');
    opened.type('C-c');
    await opened.shows(/end 0/);
    // --trust is not stored.
    await up();
    await opened.shows('[y/N]');
  });

  test('are refused without a terminal, and the stored consent contains no secret', async () => {
    const { home } = await found([...counter, '--data', 'marker-secret']);
    const { opened, up } = terminal(home);
    await up();
    await opened.shows('[y/N]');
    opened.type('yes', 'Enter');
    await opened.shows('Tidings is up');
    opened.type('C-c');
    await opened.shows(/end 0/);
    const remembered = await readFile(join(home, 'tidings', 'trusted-commands.json'), 'utf8');
    expect(remembered).not.toContain('marker-secret');
    await rm(join(home, 'tidings', 'trusted-commands.json'));
    const env = environment(home);
    const { code, stderr } = await tidings(['up', '--port', '0'], { env, cwd: home });
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('add --trust') });
  });
});
