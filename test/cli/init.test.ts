import { chmod, readFile, readdir, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tidingsCommand } from './hosted-tidings.ts';
import { TemporaryHome } from './temporary-home.ts';
import { type Ended, bin, tidings } from './tidings-process.ts';

const files: Record<string, string> = {
  'claude-desktop': '.config/Claude/claude_desktop_config.json',
  'claude-code': '.claude.json',
  cursor: '.cursor/mcp.json',
  vscode: '.config/Code/User/mcp.json',
};
const hub = 'http://127.0.0.1:7411/mcp';

class Home extends TemporaryHome {
  init(host: string, ...args: string[]): Promise<Ended> {
    const env = { HOME: this.path, XDG_CONFIG_HOME: '', CLAUDE_CONFIG_DIR: '' };
    return tidingsCommand(['init', host, ...args], { env });
  }
}

const newHome = async () => new Home(await TemporaryHome.folder(), files);

const onPosix = test.skipIf(process.platform !== 'linux');

describe('tidings init', () => {
  onPosix.each(Object.keys(files))('shows the snippet for %s and writes nothing', async (host) => {
    const home = await newHome();
    const { code, stdout, stderr } = await home.init(host);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(`Put this into ${home.file(host)}`);
    const snippet = JSON.parse(stdout.slice(0, stdout.indexOf('\n}\n') + 2));
    const member = host === 'vscode' ? 'servers' : 'mcpServers';
    if (host === 'claude-desktop') {
      expect(snippet.mcpServers['tidings-schedules']).toEqual({
        command: process.execPath,
        args: [bin, 'serve', 'schedules'],
      });
    } else {
      expect(snippet[member].tidings.url).toBe(hub);
    }
    expect(await readdir(home.path)).toEqual([]);
  });

  onPosix.each(Object.keys(files))('--write creates the file of %s, once', async (host) => {
    const home = await newHome();
    const { snippet, written } = JSON.parse((await home.init(host, '--write', '--json')).stdout);
    expect(written).toBe('created');
    const text = await readFile(home.file(host), 'utf8');
    expect(JSON.parse(text)).toEqual(snippet);
    const again = JSON.parse((await home.init(host, '--write', '--json')).stdout);
    expect(again.written).toBe('already there');
    expect(await readFile(home.file(host), 'utf8')).toBe(text);
    expect(await readdir(dirname(home.file(host)))).toHaveLength(1);
  });

  onPosix('keeps everything else, comments and line ends included, and a backup', async () => {
    const home = await newHome();
    const before =
      '\uFEFF// mine\r\n{\r\n\t"inputs": [],\r\n\t"servers": {\r\n\t\t// the good one\r\n\t\t"other": { "url": "http://x", },\r\n\t},\r\n}\r\n';
    const file = await home.write('vscode', before);
    await chmod(file, 0o640);
    const { code, stdout } = await home.init('vscode', '--write', '--json');
    expect(code).toBe(0);
    const { backup } = JSON.parse(stdout);
    expect(await readFile(backup, 'utf8')).toBe(before);
    expect(backup).toMatch(/mcp\.json\.\d{4}-\d\d-\d\dT[\d.-]+\.bak$/);
    const after = await readFile(file, 'utf8');
    expect(after).toContain('\uFEFF// mine\r\n');
    expect(after).toContain('\t\t// the good one\r\n\t\t"other": { "url": "http://x", }');
    expect(after).toContain(hub);
    expect(after.replaceAll('\r\n', '')).not.toContain('\n');
    expect((await stat(file)).mode & 0o777).toBe(0o640);
    expect((await stat(backup)).mode & 0o777).toBe(0o640);
  });

  onPosix.each([
    ['claude-desktop', '{ "mcpServers": ', 'At line 1, column '],
    ['claude-desktop', '{\n// not here\n}', 'At line 2, column '],
    ['claude-code', '[]', 'not a JSON object'],
    ['cursor', '{ "mcpServers": [] }', '"mcpServers" in it is not'],
    ['vscode', 'hello', 'At line 1, column '],
  ])('does not change a file of %s with the content %j', async (host, text, says) => {
    const home = await newHome();
    const file = await home.write(host, text);
    const { code, stdout, stderr } = await home.init(host, '--write');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(says);
    expect(stderr).toContain('add this by hand:\n{');
    expect(await readFile(file, 'utf8')).toBe(text);
    expect(await readdir(dirname(file))).toHaveLength(1);
  });

  onPosix('replaces an older entry of ours, and no other', async () => {
    const home = await newHome();
    await home.write('cursor', '{"mcpServers":{"tidings":{"url":"http://old"},"b":{"url":"http://b"}}}');
    await home.init('cursor', '--write', '--hub', 'http://127.0.0.1:7500');
    const { mcpServers } = JSON.parse(await readFile(home.file('cursor'), 'utf8'));
    expect(mcpServers).toEqual({ tidings: { url: 'http://127.0.0.1:7500/mcp' }, b: { url: 'http://b' } });
  });

  onPosix('writes through a link, which stays one', async () => {
    const home = await newHome();
    const real = join(home.path, 'dotfiles.json');
    await writeFile(real, '{}');
    await symlink(real, home.file('claude-code'));
    expect((await home.init('claude-code', '--write')).code).toBe(0);
    expect(JSON.parse(await readFile(real, 'utf8')).mcpServers.tidings).toEqual({ type: 'http', url: hub });
    expect(await readFile(home.file('claude-code'), 'utf8')).toBe(await readFile(real, 'utf8'));
  });

  onPosix('never writes a token, only where it is found', async () => {
    const home = await newHome();
    const env = { HOME: home.path, TIDINGS_TOKEN: 'open sesame', CLAUDE_CONFIG_DIR: '' };
    const { stdout } = await tidingsCommand(['init', 'claude-code'], { env });
    expect(stdout).toContain('"Authorization": "Bearer ${TIDINGS_TOKEN}"');
    expect(stdout).not.toContain('open sesame');
  });

  onPosix('has hosts start the servers, where asked to', async () => {
    const home = await newHome();
    const { stdout } = await home.init('vscode', '--via', 'stdio', '--data', '/state', '--json');
    expect(JSON.parse(stdout).snippet.servers['tidings-schedules']).toEqual({
      type: 'stdio',
      command: process.execPath,
      args: [bin, 'serve', 'schedules', '--data', '/state'],
    });
  });

  onPosix(
    'has the host ask for the password of OBS where it can, without losing what it asks for already',
    async () => {
      const home = await newHome();
      await home.write('vscode', '{\n  // Mine.\n  "inputs": [{ "type": "promptString", "id": "mine" }]\n}\n');
      await home.init('vscode', '--via', 'stdio', '--write');
      const text = await readFile(home.file('vscode'), 'utf8');
      expect(text).toContain('// Mine.');
      const { inputs, servers } = JSON.parse(text.replace('// Mine.', ''));
      expect(inputs).toMatchObject([
        { id: 'mine' },
        { id: 'tidings-obs-secret', type: 'promptString', password: true },
      ]);
      expect(servers['tidings-obs'].env).toEqual({ TIDINGS_OBS_PASSWORD: '${input:tidings-obs-secret}' });
      expect((await home.init('vscode', '--via', 'stdio', '--write')).stdout).toContain('nothing to do');
      await home.init('vscode', '--via', 'hub', '--write');
      const throughHub = await readFile(home.file('vscode'), 'utf8');
      expect(JSON.parse(throughHub.replace('// Mine.', '')).inputs).toEqual(inputs.slice(0, 1));
    },
  );

  onPosix('names the variable of the password of OBS, and never writes the password', async () => {
    const home = await newHome();
    expect((await home.init('claude-desktop')).stdout).toContain('tidings-obs: "env": {"TIDINGS_OBS_PASSWORD": "…"}');
    const env = { HOME: home.path, TIDINGS_OBS_PASSWORD: 'open sesame', CLAUDE_CONFIG_DIR: '' };
    const { stdout } = await tidingsCommand(['init', 'claude-code', '--via', 'stdio'], { env });
    expect(stdout).toContain('"TIDINGS_OBS_PASSWORD": "${TIDINGS_OBS_PASSWORD}"');
    expect(stdout).not.toContain('open sesame');
  });

  onPosix('has a host that accepts no address start a bridge to the hub', async () => {
    const home = await newHome();
    const args = [bin, 'connect', '--hub', 'http://127.0.0.1:7500/mcp'];
    const { stdout } = await home.init('claude-desktop', '--hub', 'http://127.0.0.1:7500', '--json');
    expect(JSON.parse(stdout).snippet).toEqual({ mcpServers: { tidings: { command: process.execPath, args } } });
  });

  onPosix('replaces the entries of the other way', async () => {
    const home = await newHome();
    const servers = async () => Object.keys(JSON.parse(await readFile(home.file('cursor'), 'utf8')).mcpServers);
    await home.write('cursor', '{"mcpServers":{"b":{"url":"http://b"}}}');
    await home.init('cursor', '--write');
    expect(await servers()).toEqual(['b', 'tidings']);
    await home.init('cursor', '--write', '--via', 'stdio');
    expect(await servers()).toEqual(['b', 'tidings-obs', 'tidings-schedules', 'tidings-vcon']);
    await home.init('cursor', '--write');
    expect(await servers()).toEqual(['b', 'tidings']);
  });

  onPosix.each([
    [['cursor', '--via', 'stdio', '--hub', 'http://127.0.0.1:1'], '--hub changes nothing'],
    [['cursor', '--data', '/state'], '--data changes nothing'],
  ])('refuses a flag without effect: %j', async ([host = '', ...args], says) => {
    const home = await newHome();
    const { code, stderr } = await home.init(host, ...args);
    expect(stderr).toContain(says);
    expect(code).toBe(2);
  });

  test('an unknown host is a usage error', async () => {
    const { code, stderr } = await tidings(['init', 'teapot']);
    expect(stderr).toContain('Allowed choices are claude-desktop, claude-code, cursor, vscode');
    expect(code).toBe(2);
  });
});
