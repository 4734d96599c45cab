// Text of servers and files must not control the terminal that shows it. The terminal is a real one: an escape sequence
// would change its title.
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { describeWith } from '../support/run/needs.ts';
import { bin, tidings } from '../cli/tidings-process.ts';
import { TmuxTerminal, tmuxNeed } from '../cli/tmux-terminal.ts';

const server = fileURLToPath(new URL('../fixtures/steering-server.js', import.meta.url));
const steering = '\u001B]2;OWNED\u0007 \u009D2;OWNED\u009C \u001B[2J';
const shown = '␛]2;OWNED␇ <U+009D>2;OWNED<U+009C> ␛[2J';

async function folder(): Promise<string> {
  const place = await mkdtemp(join(tmpdir(), 'tidings-steering-'));
  onTestFinished(() => rm(place, { recursive: true, force: true, maxRetries: 5 }));
  return place;
}

describeWith(tmuxNeed, 'a terminal is not steered', () => {
  async function runs(command: string, end = /end \d/): Promise<void> {
    const terminal = new TmuxTerminal({ columns: 200 });
    terminal.type(`T='${bin}'; S='${process.execPath} ${server}'; clear; ${command}; echo end $?`, 'Enter');
    const screen = await terminal.shows(end);
    expect(screen).toContain('OWNED');
    expect(terminal.title()).not.toContain('OWNED');
  }

  test.each([
    ['read', '"$T" read steering://text -- $S'],
    ['read --json', '"$T" read steering://text --json -- $S'],
    ['read of what fails', '"$T" read steering://nothing -- $S'],
    ['list', '"$T" list -- $S'],
    ['list --json', '"$T" list --json -- $S'],
    ['list --tools', '"$T" list --tools -- $S'],
    ['list --prompts', '"$T" list --prompts -- $S'],
    ['call, with its progress', '"$T" call tool -- $S'],
    ['call --json', '"$T" call tool --json -- $S'],
    ['a call that fails', `"$T" call tool '{"fail": true}' -- $S`],
    ['prompt', '"$T" prompt prompt -- $S'],
    ['a server that ends', '"$T" list -- $S --dies'],
  ])('by %s', async (_what, command) => {
    await runs(command);
  });

  test.each(['', '--json'])('by watch %s', async (flag) => {
    await runs(`"$T" watch ${flag} -- $S`, /read .*OWNED.* 2/);
  });

  test('by import, doctor, and the question before commands are started', async () => {
    const place = await folder();
    await writeFile(join(place, 'x.json'), JSON.stringify({ vcon: steering, [steering]: 1 }));
    await writeFile(join(place, 'bad.jsonl'), `{"vcon": "${steering}\n`);
    const entry = { id: 'steering', command: process.execPath, args: [server, '--dies', steering] };
    await writeFile(join(place, 'servers.json'), JSON.stringify({ servers: [entry] }));
    await runs(
      `"$T" import --data '${place}/data' '${place}/x.json' '${place}/bad.jsonl' '${place}'/$(printf '\\033]2;OWNED\\007')`,
    );
    await runs(`"$T" doctor --port 0 --data '${place}/data' --config '${place}/servers.json'`);
    await runs(
      `mkdir -p '${place}/config' && cp '${place}/servers.json' '${place}/config/mcp-servers.json' && cd '${place}' && XDG_DATA_HOME='${place}' "$T" up --port 0 --data '${place}/data'`,
      /Agree to this, now and later/,
    );
  });

  test('by the log of the hub', async () => {
    const place = await folder();
    const entry = { id: 'steering', command: process.execPath, args: [server], trackResources: true };
    await writeFile(join(place, 'servers.json'), JSON.stringify({ servers: [entry] }));
    // The command itself, which is on the screen too, does not match.
    await runs(
      `"$T" up --log-level trace --port 0 --data '${place}/data' --config '${place}/servers.json' 2>&1 | grep --line-buffered 'OWNE[D]'`,
      /OWNED/,
    );
  });
});

describe('for other programs', () => {
  test('read prints a content byte for byte', () => {
    const { stdout } = spawnSync(process.execPath, [bin, 'read', 'steering://text', '--', process.execPath, server]);
    expect(stdout.toString()).toBe(`read ${steering} 1`);
  });

  test('escaped JSON is the same document', async () => {
    const { stdout } = await tidings(['read', 'steering://text', '--json', '--', process.execPath, server]);
    expect(JSON.parse(stdout).contents[0].text).toBe(`read ${steering} 1`);
    expect(stdout).not.toContain('\u009D');
  });

  test('an error quotes the server in visible characters', async () => {
    const { stderr } = await tidings(['read', 'steering://nothing', '--', process.execPath, server]);
    expect(stderr).toContain(`No such thing ${shown}`);
  });
});
