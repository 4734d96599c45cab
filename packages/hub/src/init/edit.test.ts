import { describe, expect, it } from 'vitest';
import { UnreadableFile, asRecord, parsed, withEntries, withInputs, withoutUnusedInputs } from './edit.ts';
import type { HostInput } from './entries.ts';
import { hosts } from './host.ts';

function hostNamed(name: string) {
  const host = hosts.find((each) => each.name === name);
  if (!host) throw new Error(`No host ${name}`);
  return host;
}
const desktop = hostNamed('claude-desktop');
const vscode = hostNamed('vscode');
const entry = { command: 'node', args: ['x'] };
const input = (id: string): HostInput => ({ type: 'promptString', id, description: `The ${id}`, password: true });

describe('an entry is added', () => {
  it.each([
    ['', '{\n  "mcpServers": {\n    "a": {\n'],
    ['  \n', '{\n  "mcpServers": {\n    "a": {\n'],
    ['\uFEFF', '\uFEFF{\n  "mcpServers": {\n    "a": {\n'],
    ['{}', '{\n  "mcpServers": {\n    "a": {\n'],
    ['{"mcpServers":null}', '"mcpServers":{'],
    ['{"theme":"x"}', '{"theme":"x",'],
    ['{"mcpServers":{"b":{"command":"mine"}}}', '{"mcpServers":{"b":{"command":"mine"},'],
    ['{\r\n\t"mcpServers": {\r\n\t}\r\n}', '{\r\n\t"mcpServers": {\r\n\t\t"a": {\r\n\t\t\t"command"'],
  ])('to %j', (text, expected) => {
    const edited = withEntries(text, desktop, { a: entry });
    expect(edited).toContain(expected);
    expect(JSON.parse(edited.replace('\uFEFF', '')).mcpServers.a).toEqual(entry);
    expect(withEntries(edited, desktop, { a: entry })).toBe(edited);
  });

  it.each(['constructor', '__proto__', 'a"b\\c', 'ä😀', ''])('with the name %j', (name) => {
    const edited = withEntries('{}', desktop, Object.fromEntries([[name, entry]]));
    expect(edited).toContain(`${JSON.stringify(name)}: {`);
    expect(Object.entries(JSON.parse(edited).mcpServers)).toEqual([[name, entry]]);
  });

  it('in place of another one with its name', () => {
    const edited = withEntries('{"mcpServers":{"a":{"command":"old"},"b":{}}}', desktop, { a: entry });
    expect(JSON.parse(edited)).toEqual({ mcpServers: { a: entry, b: {} } });
  });

  it('and those that it replaces are removed', () => {
    const text = '{"mcpServers":{"old":{},"mine":{},"constructor":{}}}';
    const edited = withEntries(text, desktop, { a: entry }, ['old', 'missing', 'toString']);
    expect(Object.keys(JSON.parse(edited).mcpServers)).toEqual(['mine', 'constructor', 'a']);
  });

  it('beside comments, which stay', () => {
    const text = '{\n  // mine\n  "servers": { "b": {}, /* last */ },\n}\n';
    const edited = withEntries(text, vscode, { a: entry });
    expect(edited).toContain('// mine');
    expect(edited).toContain('/* last */');
    expect(parsed(edited, true)).toEqual({ servers: { b: {}, a: entry } });
  });
});

it.each([
  '{"mcpServers":{"a":{"args":["x"],"command":"node"}}}',
  '\uFEFF{ "mcpServers": {"a":{"command":"node","args":["x"]}} } ',
])('%j has the entry already, and stays as it is', (text) => {
  expect(withEntries(text, desktop, { a: entry })).toBe(text);
});

describe('a file is not edited', () => {
  it.each([
    ['[]', 'The file is not a JSON object.'],
    ['"x"', 'The file is not a JSON object.'],
    ['null', 'The file is not a JSON object.'],
    ['{"mcpServers":[]}', '"mcpServers" in it is not a JSON object.'],
    ['{"mcpServers":"x"}', '"mcpServers" in it is not a JSON object.'],
    ['{\n"mcpServers": {}', 'At line 2, column 17: close brace expected.'],
    ['{ // comment\n}', 'At line 1, column 3: invalid comment token.'],
    ['{"a":1,}', 'At line 1, column 8: property name expected.'],
    ['{"a":1,\n"a":2}', 'At line 2, column 1: "a" occurs twice in one object.'],
    ['{"x":{"a":1,"\\u0061":2}}', 'At line 1, column 13: "a" occurs twice in one object.'],
    ['{"__proto__":1,"__proto__":2}', 'At line 1, column 16: "__proto__" occurs twice in one object.'],
  ])('%j: %s', (text, message) => {
    expect(() => withEntries(text, desktop, { a: entry })).toThrow(new UnreadableFile(message));
  });

  it('only for one name twice in the same object', () => {
    expect(parsed('{"a":{"a":[{"a":1},{"a":2}]}}', false)).toEqual({ a: { a: [{ a: 1 }, { a: 2 }] } });
  });

  it('for comments, if its host does not accept them', () => {
    expect(parsed('{"a":1, // x\n}', true)).toEqual({ a: 1 });
    expect(() => parsed('{"a":1, // x\n}', false)).toThrow(UnreadableFile);
  });
});

describe('an input is added', () => {
  it.each([
    ['{\n  "servers": {}\n}\n', '{\n  "servers": {},\n  "inputs": [\n    {\n      "type": "promptString",'],
    [
      '{\r\n\t"servers": {}\r\n}\r\n',
      '{\r\n\t"servers": {},\r\n\t"inputs": [\r\n\t\t{\r\n\t\t\t"type": "promptString",',
    ],
    ['{\n\t"inputs": [\n\t\t{ "id": "mine" }\n\t]\n}\n', '\t\t{ "id": "mine" },\n\t\t{\n\t\t\t"type": "promptString",'],
    ['\uFEFF{\n    "inputs": []\n}', '\uFEFF{\n    "inputs": [\n        {\n            "type": "promptString",'],
    ['{ "inputs": [ /* none */ ], }', '/* none */'],
  ])('to %j, in its style', (text, expected) => {
    const edited = withInputs(text, [input('key')]);
    expect(edited).toContain(expected);
    expect(parsed(edited.replace('\uFEFF', ''), true)).toMatchObject({
      inputs: expect.arrayContaining([input('key')]),
    });
    expect(withInputs(edited, [input('key')])).toBe(edited);
  });

  it('once, after those that are there', () => {
    const text = '{"inputs":[null,"x",{"id":"b","type":"pickString"}]}';
    const edited = withInputs(text, [input('a'), input('b'), input('c')]);
    expect(JSON.parse(edited).inputs).toEqual([null, 'x', { id: 'b', type: 'pickString' }, input('a'), input('c')]);
    expect(JSON.parse(withInputs('{}', [input('a'), input('b')])).inputs).toEqual([input('a'), input('b')]);
  });

  it('nowhere if there is none', () => {
    for (const text of ['{}', '{"inputs":[]}', '{\n}']) expect(withInputs(text, [])).toBe(text);
  });

  it.each(['{"inputs":{}}', '{"inputs":null}', '{"inputs":"x"}'])('not to %s', (text) => {
    expect(() => withInputs(text, [input('a')])).toThrow(new UnreadableFile('"inputs" in it is not an array.'));
  });
});

describe('an unused input is removed', () => {
  it.each([
    ['{\n  "servers": {},\n  "inputs": [\n    { "id": "a" }\n  ]\n}\n', '{\n  "servers": {}\n}\n'],
    ['{"inputs":[{"id":"a"},{"id":"mine"}]}', '{"inputs":[{"id":"mine"}]}'],
    ['{"inputs":[]}', '{"inputs":[]}'],
    ['{"servers":{"x":{"env":{"K":"${input:a}"}}},"inputs":[{"id":"a"}]}', undefined],
  ])('from %j', (text, expected = text) => {
    expect(withoutUnusedInputs(text, ['a', 'b'])).toBe(expected);
  });
});

it('a record is an object, and nothing else', () => {
  expect(asRecord({ a: 1 }, 'No.')).toEqual({ a: 1 });
  for (const value of [null, undefined, [], 'x', 7])
    expect(() => asRecord(value, 'No.')).toThrow(new UnreadableFile('No.'));
});
