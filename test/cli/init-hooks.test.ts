// `tidings init HOST --hooks`: hooks in the configuration file of a host.
import { readFile, readdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hookEventOf } from '../../packages/hub/src/hook/hook-event.ts';
import { hookedHosts } from '../../packages/hub/src/init/hooked-host.ts';
import { hookEntriesFor } from '../../packages/hub/src/init/hook-entries.ts';
import { tidingsCommand } from './hosted-tidings.ts';
import { TemporaryHome } from './temporary-home.ts';
import { type Ended, bin } from './tidings-process.ts';

const files: Record<string, string> = {
  'claude-code': '.claude/settings.json',
  codex: '.codex/hooks.json',
  vscode: '.copilot/hooks/tidings.json',
  cursor: '.cursor/hooks.json',
  gemini: '.gemini/settings.json',
};

class Home extends TemporaryHome {
  init(host: string, args: readonly string[] = [], env: Record<string, string> = {}): Promise<Ended> {
    const own = { HOME: this.path, CLAUDE_CONFIG_DIR: '', CODEX_HOME: '', ...env };
    return tidingsCommand(['init', host, '--hooks', ...args], { env: own });
  }
}

const newHome = async () => new Home(await TemporaryHome.folder(), files);

const onPosix = test.skipIf(process.platform !== 'linux');
const command = (host: string, hub = 'http://127.0.0.1:7411') => `${process.execPath} ${bin} hook ${host} --hub ${hub}`;
const url = 'http://127.0.0.1:7411/hooks/claude-code';

describe('tidings init --hooks', () => {
  onPosix.each(Object.keys(files))('shows the hooks of %s, writes them with --write, and only once', async (host) => {
    const home = await newHome();
    const shown = await home.init(host);
    expect({ code: shown.code, stderr: shown.stderr }).toEqual({ code: 0, stderr: '' });
    expect(shown.stdout).toContain(`Put this into ${home.file(host)}`);
    expect(await readdir(home.path)).toEqual([]);
    const { snippet, written } = JSON.parse((await home.init(host, ['--write', '--json'])).stdout);
    expect(written).toBe('created');
    const text = await home.read(host);
    expect(JSON.parse(text)).toEqual(snippet);
    expect(text).toContain(command(host));
    const again = JSON.parse((await home.init(host, ['--write', '--json'])).stdout);
    expect(again.written).toBe('already there');
    expect(await home.read(host)).toBe(text);
    expect(await readdir(dirname(home.file(host)))).toHaveLength(1);
  });

  test.each(hookedHosts)(
    'of $name are for events that the hub answers, and none makes the host continue a turn',
    (host) => {
      const moments = Object.keys(host.events).map((event) => hookEventOf(host.name, event)?.moment);
      expect(moments).toContain('start');
      for (const moment of moments) expect(['start', 'prompt', 'work']).toContain(moment);
    },
  );

  onPosix('has no process for Claude Code in a turn, and the token stays in its environment', async () => {
    const home = await newHome();
    const { stdout } = await home.init('claude-code', ['--json'], { TIDINGS_TOKEN: 'secret-token' });
    expect(stdout).not.toContain('secret-token');
    const { hooks } = JSON.parse(stdout).snippet;
    const hook = {
      type: 'http',
      url,
      timeout: 2,
      headers: { Authorization: 'Bearer $TIDINGS_TOKEN' },
      allowedEnvVars: ['TIDINGS_TOKEN'],
    };
    expect(hooks.UserPromptSubmit).toEqual([{ hooks: [hook] }]);
    expect(hooks.PostToolUse).toEqual([{ hooks: [hook] }]);
  });

  onPosix('keeps what the user has: other settings, other hooks, comments, and a backup', async () => {
    const home = await newHome();
    const before = `{
  // mine
  "theme": "dark",
  "hooks": {
    "AfterTool": [{ "matcher": "write_.*", "hooks": [{ "type": "command", "command": "mine.sh" }] }], // after it
    "Notification": []
  }
}
`;
    await home.write('gemini', before);
    const { backup, written } = JSON.parse((await home.init('gemini', ['--write', '--json'])).stdout);
    expect(written).toBe('changed');
    expect(await readFile(backup, 'utf8')).toBe(before);
    const after = await home.read('gemini');
    for (const kept of ['// mine', '"theme": "dark"', '"mine.sh"', '// after it', '"Notification": []']) {
      expect(after).toContain(kept);
    }
    expect(after.split(command('gemini'))).toHaveLength(4);
    await home.init('gemini', ['--write']);
    expect(await home.read('gemini')).toBe(after);
  });

  onPosix('keeps the options that the user gave our hooks, and replaces an older address', async () => {
    const home = await newHome();
    const mine = { type: 'command', command: 'mine.sh' };
    const old = { type: 'http', url: 'http://127.0.0.1:7000/hooks/claude-code', timeout: 2 };
    const own = { type: 'http', url: `${url}?uri=vcon://**`, timeout: 9 };
    const settings = { hooks: { UserPromptSubmit: [{ hooks: [mine, old] }], PostToolUse: [{ hooks: [own] }] } };
    await home.write('claude-code', JSON.stringify(settings));
    await home.init('claude-code', ['--write']);
    const { hooks } = JSON.parse(await home.read('claude-code'));
    expect(hooks.UserPromptSubmit).toEqual([{ hooks: [mine, { type: 'http', url, timeout: 2 }] }]);
    expect(hooks.PostToolUse).toEqual([{ hooks: [own] }]);
    expect(hooks.SessionStart).toHaveLength(1);

    const line = `${command('cursor')} --uri 'vcon://**'`;
    await home.write('cursor', JSON.stringify({ hooks: { postToolUse: [{ command: line }] } }));
    await home.init('cursor', ['--write']);
    expect(JSON.parse(await home.read('cursor'))).toMatchObject({
      version: 1,
      hooks: { postToolUse: [{ command: line }] },
    });
    await home.init('cursor', ['--write', '--hub', 'http://127.0.0.1:7500']);
    const moved = JSON.parse(await home.read('cursor')).hooks;
    expect(moved.postToolUse).toEqual([{ command: `${command('cursor', 'http://127.0.0.1:7500')} --uri 'vcon://**'` }]);
  });

  onPosix.each([
    ['claude-code', '{ "hooks": [] }', '"hooks" in it is not'],
    ['codex', '{ "hooks": { "PostToolUse": {} } }', '"PostToolUse" in its "hooks" is not an array'],
    ['cursor', 'hello', 'At line 1, column '],
    ['claude-code', '{ // not here\n}', 'At line 1, column '],
  ])('does not change a file of %s with the content %j', async (host, text, says) => {
    const home = await newHome();
    await home.write(host, text);
    const { code, stderr } = await home.init(host, ['--write']);
    expect(code).toBe(1);
    expect(stderr).toContain(says);
    expect(stderr).toContain('add this by hand:\n{');
    expect(await home.read(host)).toBe(text);
  });

  test.each([
    [['claude-desktop', '--hooks'], 'claude-desktop has no hooks.'],
    [['codex'], 'add --hooks'],
    [['cursor', '--hooks', '--via', 'stdio'], '--via changes nothing here'],
    [['cursor', '--hooks', '--data', 'x'], '--data changes nothing here'],
  ])('%j is wrong usage', async (args, says) => {
    const { code, stderr } = await tidingsCommand(['init', ...args]);
    expect(code).toBe(2);
    expect(stderr).toContain(says);
  });

  test.each([
    ['linux', '/usr/bin/node', "/home/o'neil/my tools/tidings.js", String.raw`'/home/o'\''neil/my tools/tidings.js'`],
    ['win32', String.raw`C:\node.exe`, String.raw`C:\My Tools\tidings.js`, String.raw`"C:\My Tools\tidings.js"`],
  ])('quotes a path with spaces on %s', (platform, node, script, quoted) => {
    const [, , , cursor] = hookedHosts;
    if (cursor === undefined) throw new Error('No host');
    const hub = new URL('http://127.0.0.1:7411/mcp');
    const entries = hookEntriesFor(cursor, { node, bin: script, hub, hasToken: false, platform });
    expect(entries.command['command']).toBe(`${node} ${quoted} hook cursor --hub http://127.0.0.1:7411`);
  });
});
