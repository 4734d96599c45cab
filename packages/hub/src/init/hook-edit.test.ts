import { describe, expect, it } from 'vitest';
import { withHooks } from './hook-edit.ts';
import { hookEntriesFor } from './hook-entries.ts';
import { hookedHosts } from './hooked-host.ts';

const installation = { node: '/usr/bin/node', bin: '/t/bin/tidings.js', hasToken: false, platform: 'linux' };
const command = (host: string, port = 7411) =>
  `/usr/bin/node /t/bin/tidings.js hook ${host} --hub http://127.0.0.1:${port}`;
const url = 'http://127.0.0.1:7411/hooks/claude-code';

function edited(name: string, text: string, { port = 7411, hasToken = false } = {}): string {
  const host = hookedHosts.find((each) => each.name === name);
  if (host === undefined) throw new Error(`No host ${name}`);
  const hub = new URL(`http://127.0.0.1:${port}/mcp`);
  const entries = hookEntriesFor(host, { ...installation, hub, hasToken });
  const after = withHooks(text, host, entries);
  expect(withHooks(after, host, entries)).toBe(after);
  return after;
}

/** The hooks of an event, in the form without groups. */
const cursorHooks = (...hooks: object[]) => JSON.stringify({ version: 1, hooks: { postToolUse: hooks } });
const claudeHooks = (...hooks: object[]) => JSON.stringify({ hooks: { UserPromptSubmit: [{ hooks }] } });
const inCursor = (text: string): unknown => JSON.parse(text).hooks.postToolUse;
const inClaude = (text: string): unknown => JSON.parse(text).hooks.UserPromptSubmit;

describe('hooks in the file', () => {
  it('keep the form in which they are written', () => {
    const mine = '\t\t\t{ "matcher": "x",   "hooks": [{"type":"command","command":"mine.sh"}] }';
    const after = edited('claude-code', `{\n\t"hooks": {\n\t\t"PostToolUse": [\n${mine}\n\t\t]\n\t}\n}\n`);
    expect(after).toContain(`${mine},\n\t\t\t{\n\t\t\t\t"hooks": [\n`);
  });

  it('that are null: new ones are added', () => {
    expect(Object.keys(JSON.parse(edited('cursor', '{ "hooks": null }')).hooks)).toEqual([
      'sessionStart',
      'postToolUse',
    ]);
  });

  it('that occur twice: the file is not edited', () => {
    const twice = '{\n  "hooks": { "postToolUse": [] },\n  "hooks": {}\n}';
    expect(() => edited('cursor', twice)).toThrow('At line 3, column 3: "hooks" occurs twice in one object.');
  });

  it('of Tidings get the current address, and keep their options', () => {
    const old = 'http://127.0.0.1:7000/hooks/claude-code';
    const [first, second] = [
      { type: 'http', url: `${old}?uri=a://**`, timeout: 9, statusMessage: 'Asking' },
      { type: 'http', url: `${old}?server=b`, headers: { Authorization: 'Bearer $MINE' }, allowedEnvVars: ['MINE'] },
    ];
    expect(inClaude(edited('claude-code', claudeHooks(first, second), { hasToken: true }))).toEqual([
      {
        hooks: [
          {
            ...first,
            url: `${url}?uri=a://**`,
            headers: { Authorization: 'Bearer $TIDINGS_TOKEN' },
            allowedEnvVars: ['TIDINGS_TOKEN'],
          },
          { ...second, url: `${url}?server=b` },
        ],
      },
    ]);
  });

  it.each([
    ["/old/node '/my tools/tidings.js' hook cursor --uri 'a://**' --explain", " --uri 'a://**' --explain"],
    ['"C:\\Program Files\\node.exe" C:\\t\\tidings.js hook cursor --hub http://x:1 --uri a', ' --uri a'],
    ["'/home/o'\\''neil/node' /t/tidings.js hook cursor --server b --hub='http://x:1'", ' --server b'],
    ['tidings hook cursor', ''],
  ])('with %s are changed to the current program, and keep their options', (line, options) => {
    expect(inCursor(edited('cursor', cursorHooks({ command: line, timeout: 9 }), { port: 7500 }))).toEqual([
      { command: `${command('cursor', 7500)}${options}`, timeout: 9 },
    ]);
  });

  it.each(['TIDINGS_TOKEN=x /usr/bin/node /t/tidings.js hook cursor', 'cd /x && tidings hook cursor | tee log'])(
    'within a command of the user are unchanged: %s',
    (line) => {
      const mine = { command: line };
      expect(inCursor(edited('cursor', cursorHooks(mine)))).toEqual([mine]);
    },
  );

  it('that reach the hub in another way than init would choose are unchanged', () => {
    const mine = { type: 'command', command: `${command('claude-code', 7000)} --uri a` };
    expect(inClaude(edited('claude-code', claudeHooks(mine)))).toEqual([
      { hooks: [{ ...mine, command: `${command('claude-code')} --uri a` }] },
    ]);
  });

  it.each(['https://example.com', 'https://127.evil.example'])(
    'of another program at the same path are unchanged, and a new one is added: %s',
    (origin) => {
      const theirs = { type: 'http', url: `${origin}/hooks/claude-code`, headers: { 'X-Key': 'mine' } };
      const ours = { type: 'http', url, timeout: 2 };
      expect(inClaude(edited('claude-code', claudeHooks(theirs)))).toEqual([{ hooks: [theirs] }, { hooks: [ours] }]);
    },
  );

  it('of another hub are changed to the given hub, with its token', () => {
    const headers = { Authorization: 'Bearer $TIDINGS_TOKEN' };
    const old = { type: 'http', url: 'https://hub.example/hooks/claude-code', headers };
    expect(inClaude(edited('claude-code', claudeHooks(old)))).toEqual([{ hooks: [{ ...old, url }] }]);
  });
});
