import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parseConfig } from './parse-config.ts';

const file = 'config/mcp-servers.json';
const parse = (document: unknown, env = {}) => parseConfig(JSON.stringify(document), { file, env });
const one = (entry: object) => parse({ servers: [entry] });

describe('a configuration', () => {
  it('has servers with a command, a URL or the name of a built-in server', () => {
    const { servers, tokens } = parse({
      servers: [
        {
          id: 'notes',
          command: 'npx',
          args: ['-y', 'x'],
          workingDirectory: '.',
          env: { K: 'v' },
          description: 'Notes',
        },
        { id: 'remote', url: 'https://example.com/mcp', trackResources: true, pin: true },
        { id: 'vcon', builtin: 'vcon', enabled: false },
      ],
      tokens: [
        { env: 'READER_TOKEN', allow: ['vcon://**'], redact: 'contact-details' },
        { env: 'TEAM_TOKEN', servers: ['notes', 'vcon'], tools: ['notes_*'], prompts: ['vcon_find_by_tags'] },
      ],
    });
    expect(servers).toMatchObject([
      { id: 'notes', command: 'npx', args: ['-y', 'x'], enabled: true, trackResources: false },
      { id: 'remote', headers: {}, enabled: true, trackResources: true, pin: true },
      { id: 'vcon', builtin: 'vcon', enabled: false },
    ]);
    expect(tokens).toEqual([
      { env: 'READER_TOKEN', allow: ['vcon://**'], redact: 'contact-details' },
      { env: 'TEAM_TOKEN', servers: ['notes', 'vcon'], tools: ['notes_*'], prompts: ['vcon_find_by_tags'] },
    ]);
  });

  it('reads the map of servers of other hosts', () => {
    const { servers } = parse({
      mcpServers: {
        'My Notes!': { command: 'notes', args: ['--fast'], cwd: '/srv', type: 'stdio', autoApprove: ['x'] },
        remote: { url: 'http://127.0.0.1:1/mcp', disabled: true },
      },
    });
    expect(servers).toMatchObject([
      { id: 'my-notes', command: 'notes', args: ['--fast'], workingDirectory: '/srv', enabled: true },
      { id: 'remote', url: 'http://127.0.0.1:1/mcp', enabled: false },
    ]);
  });

  it('reads the files of other hosts, with comments and unknown settings', () => {
    const text = `// of Claude Code
      { "numStartups": 12, "projects": {}, "mcpServers": { "Wetter (Köln)": { "command": "w" }, "天気": { "command": "t" }, }, }`;
    expect(parseConfig(text, { file, env: {} }).servers).toMatchObject([
      { id: 'wetter-koln', trackResources: true },
      { id: expect.stringMatching(/^server-[0-9a-f]{6}$/), trackResources: true },
    ]);
    const vscode = {
      inputs: [{ id: 'key' }],
      servers: { remote: { type: 'http', url: 'http://127.0.0.1:1/mcp', headers: { 'X-Key': '${env:KEY}' } } },
    };
    expect(parse(vscode, { KEY: 'secret' }).servers).toMatchObject([{ id: 'remote', headers: { 'X-Key': 'secret' } }]);
  });

  it('refuses a mistyped field', () => {
    expect(() => parse({ mcpServers: {}, token: [] })).toThrow('there is no field "token": did you mean "tokens"?');
  });

  it('takes the inputs of VS Code from the environment, otherwise their defaults', () => {
    const inputs = [
      { type: 'promptString', id: 'api-key', description: 'Key of the API', password: true },
      { type: 'pickString', id: 'region', options: ['eu', 'us'], default: 'eu' },
      'nonsense',
    ];
    const servers = {
      a: { command: 'x', env: { KEY: '${input:api-key}', REGION: '${input:region}' } },
      b: { command: 'y' },
    };
    expect(parse({ inputs, servers }, { TIDINGS_INPUT_API_KEY: 'secret' }).servers).toMatchObject([
      { id: 'a', enabled: true, env: { KEY: 'secret', REGION: 'eu' }, filledIn: ['secret'] },
      { id: 'b', enabled: true },
    ]);
  });

  it('leaves out a server of a host that lacks a value, names it, and keeps the others', () => {
    const inputs = [{ id: 'api-key', description: 'Key of the API' }];
    const servers = {
      a: { command: 'x', env: { KEY: '${input:api-key}' } },
      b: { command: 'y', args: ['${env:NOT_SET}'] },
      c: { command: 'z', args: ['${command:pick}'] },
      d: { command: 'w' },
      e: { command: 'v', args: ['${env:NOT_SET}'], disabled: true },
    };
    const [a, b, c, d, e] = parse({ inputs, servers }).servers;
    expect(a).toMatchObject({
      enabled: false,
      leftOutReason: 'env.KEY: the host would ask for "api-key" (Key of the API). Set TIDINGS_INPUT_API_KEY.',
    });
    expect(b).toMatchObject({
      enabled: false,
      leftOutReason: expect.stringContaining('the environment has no NOT_SET'),
    });
    expect(c).toMatchObject({
      enabled: false,
      leftOutReason: expect.stringContaining('only the host knows ${command:pick}'),
    });
    expect(d).toMatchObject({ enabled: true });
    expect(d).not.toHaveProperty('leftOutReason');
    expect(e).not.toHaveProperty('leftOutReason');
  });

  it('refuses a file with a server whose URL needs a missing input', () => {
    expect(() => parse({ servers: { a: { url: '${input:address}' } } })).toThrow('Set TIDINGS_INPUT_ADDRESS.');
  });

  it('fills in the folder variables of VS Code and Cursor', () => {
    const entry = { command: '${userHome}/bin/x', args: ['${workspaceFolder}${/}notes', '${workspaceFolderBasename}'] };
    const inFolder = (path: string) =>
      parseConfig(JSON.stringify({ servers: { a: entry } }), { file: path, env: { HOME: '/home/me' } }).servers[0];
    expect(inFolder('/projects/shop/.vscode/mcp.json')).toMatchObject({
      command: '/home/me/bin/x',
      args: [join('/projects/shop', 'notes'), 'shop'],
    });
    // A file in the user's home applies to any folder: the one where the hub was started.
    expect(inFolder('/home/me/.config/Code/User/mcp.json')).toMatchObject({
      args: [resolve('notes'), basename(resolve('.'))],
    });
  });

  it('reads the file of variables of VS Code and Cursor', () => {
    const folder = mkdtempSync(join(tmpdir(), 'tidings-env-file-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    mkdirSync(join(folder, '.vscode'));
    writeFileSync(join(folder, '.env'), '# secrets\nKEY="from the file"\nOTHER=of the file\n');
    const servers = {
      a: { command: 'x', envFile: '${workspaceFolder}/.env', env: { OTHER: 'of the entry' } },
      b: { command: 'x', envFile: 'gone.env' },
    };
    const [a, b] = parseConfig(JSON.stringify({ servers }), {
      file: join(folder, '.vscode/mcp.json'),
      env: {},
    }).servers;
    expect(a).toMatchObject({ env: { KEY: 'from the file', OTHER: 'of the entry' } });
    expect(a?.filledIn).toContain('from the file');
    expect(b).toMatchObject({
      enabled: false,
      leftOutReason: expect.stringContaining('envFile: gone.env cannot be read.'),
    });
  });

  it('accepts defaults in the syntax of Claude Code', () => {
    const entry = { id: 'r', url: '${BASE:-https://example.com}/mcp', headers: { 'X-Key': '${KEY:-}' } };
    expect(parse({ servers: [entry] }).servers).toMatchObject([
      { url: 'https://example.com/mcp', headers: { 'X-Key': '' } },
    ]);
    expect(parse({ servers: [entry] }, { BASE: 'https://a.example' }).servers).toMatchObject([
      { url: 'https://a.example/mcp' },
    ]);
  });

  it('fills in variables of the environment', () => {
    const entry = { id: 'r', url: 'https://${HOST}/mcp', headers: { Authorization: 'Bearer ${TOKEN}' } };
    expect(parse({ servers: [entry] }, { HOST: 'a.example', TOKEN: 'secret' }).servers[0]).toMatchObject({
      url: 'https://a.example/mcp',
      headers: { Authorization: 'Bearer secret' },
      filledIn: ['a.example', 'secret'],
    });
    expect(() => parse({ servers: [entry] }, { HOST: 'a.example' })).toThrow(
      `${file}: servers[0] ("r"): headers.Authorization: the environment has no TOKEN. Set it, or leave this out.`,
    );
  });

  it('remembers values from the environment, except paths', () => {
    const entry = { id: 'a', command: 'x', args: ['${HOME}/x', '--key=${KEY}'] };
    expect(parse({ servers: [entry] }, { HOME: '/home/me', KEY: 'secret' }).servers[0]?.filledIn).toEqual(['secret']);
    expect(one({ id: 'a', command: 'x' }).servers[0]).not.toHaveProperty('filledIn');
  });

  it.each([
    ['nothing but text', '{"servers": [', 'This is not JSON'],
    ['a list', '[]', 'must be an object'],
    ['an unknown field', '{"server": []}', 'there is no field "server": did you mean "servers"?'],
    [
      'an entry without a way',
      '{"servers": [{"id": "a"}]}',
      'servers[0] ("a"): needs exactly one of "command", "url" and "builtin".',
    ],
    ['an entry with two ways', '{"servers": [{"id": "a", "command": "x", "url": "http://b"}]}', 'needs exactly one of'],
    ['an entry without an id', '{"servers": [{"command": "x"}]}', 'servers[0]: id: must be a string.'],
    ['a bad id', '{"servers": [{"id": "A b", "command": "x"}]}', 'servers[0] ("A b"): id: must be 1 to 32 of a-z'],
    [
      'a pin that is none',
      '{"servers": [{"id": "a", "command": "x", "pin": "yes"}]}',
      'servers[0] ("a"): pin: must be a boolean.',
    ],
    [
      'a misspelled field',
      '{"servers": [{"id": "a", "command": "x", "trackResource": true}]}',
      'servers[0] ("a"): there is no field "trackResource": did you mean "trackResources"?',
    ],
    [
      'a field that is like none',
      '{"servers": [{"id": "a", "command": "x", "colour": "red"}]}',
      /servers\[0\] \("a"\): there is no field "colour"\.$/,
    ],
    [
      'a misspelled way',
      '{"servers": [{"id": "a", "comand": "x", "args": []}]}',
      'servers[0] ("a"): there is no field "comand": did you mean "command"?',
    ],
    [
      'a bad argument',
      '{"servers": [{"id": "a", "command": "x", "args": [1]}]}',
      'servers[0] ("a"): args.0: must be a string.',
    ],
    [
      'a bad address',
      '{"servers": [{"id": "a", "url": "file:///etc/passwd"}]}',
      'servers[0] ("a"): url: must be an http:// or https:// address.',
    ],
    ['a bad host', '{"hosts": ["https://x"]}', 'hosts.0: must be a name such as tidings.example.com'],
    ['an audit that is none', '{"audit": {"argument": true}}', 'audit: '],
    ['a bad proxy', '{"proxies": ["proxy"]}', 'proxies.0: must be an address such as 127.0.0.1'],
    ['a bad limit', '{"limits": {"streams": 0}}', 'limits.streams: must be a whole number above 0.'],
    ['an unknown limit', '{"limits": {"stream": 5}}', 'limits: there is no field "stream".'],
    [
      'a bad limit of a token',
      '{"tokens": [{"env": "A", "limits": {"sessions": "5"}}]}',
      'tokens[0]: limits.sessions: must be a number.',
    ],
    ['a bad token', '{"tokens": [{"allow": []}]}', 'tokens[0]: env: must be a string.'],
    [
      'a token for tools that are none',
      '{"tokens": [{"env": "T", "tools": "notes_*"}]}',
      'tokens[0]: tools: must be an array.',
    ],
    [
      'a token for a tool without a name',
      '{"tokens": [{"env": "T", "tools": [""]}]}',
      'tokens[0]: tools.0: must be a name, or a pattern such as "notes_*".',
    ],
    [
      'a token for a server that is not there',
      '{"servers": [{"id": "a", "command": "x"}], "tokens": [{"env": "T", "servers": ["a", "b"]}]}',
      'tokens[0]: servers.1: there is no server "b". Name one by its id.',
    ],
    ['a bad entry of another host', '{"mcpServers": {"x": {"command": 7}}}', 'server "x": command: must be a string.'],
  ])('with %s is refused, and the error names the place', (_, text, message) => {
    const refused = () => parseConfig(text, { file, env: {} });
    expect(refused).toThrow(message);
    expect(refused).toThrow(file);
    expect(refused).toThrow(expect.objectContaining({ code: 'INVALID_PARAMS' }));
  });

  it('names every problem at once', () => {
    const entries = [{ id: 'a', command: 'x', enabled: 'yes' }, { id: 'b' }];
    expect(() => parse({ servers: entries })).toThrow(
      /\("a"\): enabled: must be a boolean\.\n.*\("b"\): needs exactly one/,
    );
  });

  it('names the problems of its entries and those of the document', () => {
    const document = { serverz: [], hostPrefix: 1, servers: [{ id: 'b' }], tokens: [{ env: 1 }] };
    expect(() => parse(document)).toThrow(/hostPrefix: .*"serverz".*\("b"\): needs.*tokens\[0\]: env: must be/s);
    // Its servers are not known, so a token may name one of them.
    const tokens = [{ env: 'A', servers: ['b'] }];
    expect(() => parse({ servers: {}, mcpServers: {}, tokens })).toThrow(
      /^[^\n]*: servers: must be an array: a map of servers belongs under "mcpServers"\.$/,
    );
  });

  it('gives every server a unique id', () => {
    const entry = { id: 'a', command: 'x' };
    expect(() => parse({ servers: [entry, entry] })).toThrow('two entries have the id "a"');
    expect(() => parse({ servers: [entry], mcpServers: { A: { command: 'y' } } })).toThrow(
      'two entries have the id "a"',
    );
  });

  it('may begin with a byte order mark', () => {
    expect(parseConfig('\uFEFF{"servers": []}', { file, env: {} }).servers).toEqual([]);
  });

  it('never shows a secret in an error', () => {
    const entry = { id: 'a', url: 'nonsense ${TOKEN}', headers: { Authorization: 'Bearer ${TOKEN}' } };
    expect(() => parse({ servers: [entry] }, { TOKEN: 'hunter2' })).toThrow(/^(?!.*hunter2)/s);
  });

  it('does not interpret a single dollar sign', () => {
    expect(one({ id: 'a', command: 'x', args: ['$HOME', '${}', '$'] }).servers[0]).toMatchObject({
      args: ['$HOME', '${}', '$'],
    });
  });
});
