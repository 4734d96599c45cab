import { describe, expect, it } from 'vitest';
import { withEnabled, withServer, withoutServer } from './edited-config.ts';

const ours = `{
  // What we follow.
  "servers": [
    { "id": "a", "command": "x" }, // the first
    /* the second */
    { "id": "b", "url": "http://127.0.0.1:1/mcp" }
  ],
  "hosts": ["example.com"] // by this name
}
`;

describe("an edit of a configuration in this project's format", () => {
  it('adds a server at the end of the list', () => {
    const edited = withServer(ours, { id: 'c', url: 'https://c.example/mcp', trackResources: true });
    expect(JSON.parse(withoutComments(edited)).servers.map(({ id }: { id: string }) => id)).toEqual(['a', 'b', 'c']);
    for (const comment of ['// What we follow.', '// the first', '/* the second */', '// by this name']) {
      expect(edited).toContain(comment);
    }
  });

  it('removes a server, and leaves the comments of the others', () => {
    const edited = withoutServer(ours, 'b');
    expect(JSON.parse(withoutComments(edited)).servers).toEqual([{ id: 'a', command: 'x' }]);
    expect(edited).toContain('// the first');
    expect(edited).toContain('// by this name');
  });

  it('disables and enables a server', () => {
    const disabled = withEnabled(ours, 'a', false);
    expect(JSON.parse(withoutComments(disabled)).servers[0]).toEqual({ id: 'a', command: 'x', enabled: false });
    expect(JSON.parse(withoutComments(withEnabled(disabled, 'a', true))).servers[0].enabled).toBe(true);
    expect(disabled).toContain('// the first');
  });

  it('refuses to add a taken id and to remove an unknown one', () => {
    expect(() => withServer(ours, { id: 'a', url: 'http://x' })).toThrow('There is a server "a" already');
    expect(() => withoutServer(ours, 'z')).toThrow('The configuration file has no server "z".');
  });
});

describe('an edit of a configuration in the format of another host', () => {
  const map = '{\n\t"mcpServers": {\n\t\t"My Notes!": { "command": "x" } // notes\n\t}\n}\n';

  it('finds a server by the id that is made of its name', () => {
    expect(JSON.parse(withoutComments(withEnabled(map, 'my-notes', false))).mcpServers['My Notes!'].enabled).toBe(
      false,
    );
    expect(JSON.parse(withoutComments(withoutServer(map, 'my-notes'))).mcpServers).toEqual({});
  });

  it('adds a server under its id, and keeps the comments', () => {
    const edited = withServer(map, { id: 'remote', url: 'https://c.example/mcp' });
    expect(JSON.parse(withoutComments(edited)).mcpServers.remote).toEqual({ url: 'https://c.example/mcp' });
    expect(edited).toContain('// notes');
  });

  it('finds the servers of VS Code', () => {
    expect(withoutServer('{"servers": {"a": {"command": "x"}}}', 'a')).toBe('{"servers": {}}');
  });
});

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*.*?\*\/|(?<!:)\/\/[^\n]*/g, '');
}
