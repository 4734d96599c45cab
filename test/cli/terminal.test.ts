// The command line in a real terminal: the tests press keys and read the screen.
import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { describeWith } from '../support/run/needs.ts';
import { bin } from './tidings-process.ts';
import { TmuxTerminal, tmuxNeed } from './tmux-terminal.ts';

describeWith(tmuxNeed, 'in a terminal', () => {
  async function filesServer(): Promise<{ folder: string; server: string }> {
    const folder = await mkdtemp(join(tmpdir(), 'tidings-cli-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, `${'long-'.repeat(20)}.md`), 'one\n');
    await writeFile(join(folder, 'x.png'), Uint8Array.of(0xff, 0xfe));
    return { folder, server: `"$T" serve files --folder '${folder}'` };
  }

  function terminal(): TmuxTerminal {
    const opened = new TmuxTerminal();
    opened.type(`T='${bin}'; clear`, 'Enter');
    return opened;
  }

  test('a table is cut to the width of the screen, with bold headings', async () => {
    const { server } = await filesServer();
    const opened = terminal();
    opened.type(`clear; "$T" list -- ${server}; echo end $?`, 'Enter');
    const screen = await opened.shows(/^end 0/m);
    expect(screen).toContain('\u001B[1mURI');
    expect(screen).toMatch(/^\S*files:\/\/\/long-\S+….+text\//m);
    expect(screen).toMatch(/^files:\/\/\/x\.png /m);
  });

  test('binary content is not printed', async () => {
    const { server } = await filesServer();
    const opened = terminal();
    opened.type(`clear; "$T" read files:///x.png -- ${server}; echo end $?`, 'Enter');
    expect(await opened.shows(/^end 1/m)).toContain('2 B of image/png');
  });

  test('a watch ends on Ctrl-C', async () => {
    const { folder, server } = await filesServer();
    const opened = terminal();
    opened.type(`clear; "$T" watch -- ${server}; echo end $?`, 'Enter');
    await opened.shows(/watching 2 resources/);
    await appendFile(join(folder, `${'long-'.repeat(20)}.md`), 'two\n');
    await opened.shows('\u001B[32m+ two');
    opened.type('C-c');
    await opened.shows(/end 0/);
  });
});
