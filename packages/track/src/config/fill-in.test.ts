import { basename, resolve, sep } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fillIn, workspaceOf } from './fill-in.ts';

const workspace = resolve('/home/ada/project');
const variables = (env: Record<string, string | undefined> = {}, inputs = {}) => ({
  env,
  inputs: new Map<string, { description?: string; default?: string }>(Object.entries(inputs)),
  workspace,
});

describe('a variable', () => {
  const env = { KEY: 'secret', EMPTY: '', HOME: '/home/me', a_1: 'lower', REST: '${KEY}', DOLLARS: '$& $1' };
  it.each([
    ['${KEY}', 'secret'],
    ['${env:KEY}', 'secret'],
    ['a${KEY}b${env:KEY}', 'asecretbsecret'],
    ['${a_1}', 'lower'],
    ['${KEY:-other}', 'secret'],
    ['${MISSING:-other}', 'other'],
    ['${env:MISSING:-https://example.com:8443}', 'https://example.com:8443'],
    ['${MISSING:-}', ''],
    ['${MISSING:-two\nlines}', 'two\nlines'],
    ['${EMPTY:-other}', 'other'],
    ['${EMPTY}', ''],
    ['${REST}', '${KEY}'],
    ['${DOLLARS}', '$& $1'],
    ['${constructor:-other}', 'other'],
    ['${env:toString:-other}', 'other'],
    ['${__proto__:-other}', 'other'],
    ['${workspaceFolder}', workspace],
    ['${workspaceFolderBasename}', basename(workspace)],
    ['${userHome}', '/home/me'],
    ['${pathSeparator}${/}', sep + sep],
  ])('%j becomes %j', (written, value) => {
    const filled = fillIn(written, variables(env));
    expect(filled.value).toBe(value);
    expect(filled.missing.size).toBe(0);
  });

  it.each(['', '$KEY', '${}', '${ KEY }', '${1KEY}', '${KEY', '${a-b}', '${{KEY}', '{KEY}', '${env:}', '${ÄB}', '💥'])(
    'is not in %j',
    (written) => {
      expect(fillIn(written, variables({ KEY: 'x', 'a-b': 'y' }))).toEqual({
        value: written,
        filledIn: new Set(),
        missing: new Set(),
      });
    },
  );

  it.each([
    ['${MISSING}', 'the environment has no MISSING. Set it, or leave this out.'],
    ['${env:MISSING}', 'the environment has no MISSING. Set it, or leave this out.'],
    ['${constructor}', 'the environment has no constructor. Set it, or leave this out.'],
    ['${__proto__}', 'the environment has no __proto__. Set it, or leave this out.'],
    ['${hasOwnProperty}', 'the environment has no hasOwnProperty. Set it, or leave this out.'],
    ['${command:pick}', 'only the host knows ${command:pick}. Write the value itself.'],
    ['${workspaceFolder:other}', 'only the host knows ${workspaceFolder:other}. Write the value itself.'],
    ['${input:api-key}', 'the host would ask for "api-key". Set TIDINGS_INPUT_API_KEY.'],
  ])('%s without a value stays, and is missing', (written, complaint) => {
    const filled = fillIn({ args: ['x', { y: written }] }, variables());
    expect(filled).toEqual({
      value: { args: ['x', { y: written }] },
      filledIn: new Set(),
      missing: new Set([`args.1.y: ${complaint}`]),
    });
  });

  it('counts as a secret, unless it is empty, a default or a place', () => {
    const env = { KEY: 'secret', EMPTY: '', HOME: '/home/me', Path: '/bin', HOME_KEY: 'other' };
    const written = ['${KEY}', '${EMPTY}', '${HOME}', '${Path}', '${NONE:-default}', '${HOME_KEY}', '${userHome}'];
    expect([...fillIn(written, variables(env)).filledIn]).toEqual(['secret', 'other']);
  });
});

describe('an input', () => {
  const inputs = { 'api-key': { description: 'Key of the API' }, region: { default: 'eu' }, none: { default: '' } };

  it('has the value of its environment variable, which is a secret', () => {
    const env = { TIDINGS_INPUT_API_KEY: 'secret', TIDINGS_INPUT_REGION: 'us' };
    const filled = fillIn(['${input:api-key}', '${input:region}'], variables(env, inputs));
    expect(filled).toEqual({ value: ['secret', 'us'], filledIn: new Set(['secret', 'us']), missing: new Set() });
  });

  it('has its default otherwise', () => {
    const filled = fillIn(['${input:region}', '${input:none}'], variables({}, inputs));
    expect(filled).toEqual({ value: ['eu', ''], filledIn: new Set(), missing: new Set() });
  });

  it('without both is missing, with its description', () => {
    const { missing } = fillIn({ env: { KEY: '${input:api-key}' } }, variables({}, inputs));
    expect([...missing]).toEqual([
      'env.KEY: the host would ask for "api-key" (Key of the API). Set TIDINGS_INPUT_API_KEY.',
    ]);
  });

  it.each([
    ['a.b c', 'TIDINGS_INPUT_A_B_C'],
    ['schlüssel', 'TIDINGS_INPUT_SCHL_SSEL'],
    ['constructor', 'TIDINGS_INPUT_CONSTRUCTOR'],
    ['__proto__', 'TIDINGS_INPUT__PROTO_'],
  ])('with the id "%s" is set by %s', (id, name) => {
    expect(fillIn(`\${input:${id}}`, variables({ [name]: 'given' })).value).toBe('given');
  });
});

describe('an entry', () => {
  it.each([[null], [7], [true], [undefined], [{}], [[]], [[null, 7, { a: [true] }]]])('%j is kept', (entry) => {
    expect(fillIn(entry, variables()).value).toEqual(entry);
  });

  it('is filled in at any depth, but not in its names, and is not changed itself', () => {
    const entry = { '${KEY}': [{ b: ['${KEY}'] }] };
    expect(fillIn(entry, variables({ KEY: 'x' })).value).toEqual({ '${KEY}': [{ b: ['x'] }] });
    expect(entry).toEqual({ '${KEY}': [{ b: ['${KEY}'] }] });
  });

  it('keeps a member named __proto__ as a member', () => {
    const filled = fillIn(JSON.parse('{"__proto__":{"a":"${KEY}"}}'), variables({ KEY: 'x' }));
    expect(JSON.stringify(filled.value)).toBe('{"__proto__":{"a":"x"}}');
  });
});

it.each([
  ['/a/project/.vscode/mcp.json', '/a/project'],
  ['/a/project/.cursor/mcp.json', '/a/project'],
  ['/a/project/mcp.json', '.'],
  ['/a/.vscode/deeper/mcp.json', '.'],
  ['.vscode/mcp.json', '.'],
])('the workspace of %s is %s', (file, folder) => {
  expect(workspaceOf(file)).toBe(resolve(folder));
});
