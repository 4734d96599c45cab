import { describe, expect, it } from 'vitest';
import { HookedHub, changed, timestamp } from '../testing/hooked-hub.ts';
import { mayHaveChanged } from './hook-sentence.ts';

describe('a hook URL that selects resources', () => {
  it.each([{ uri: 'a://*' }, { server: 'a' }, { uri: 'a://1', server: 'a' }])(
    'with %o covers unread resources',
    async (query) => {
      const hub = new HookedHub();
      const asked = { query };
      await hub.says('UserPromptSubmit', {}, asked);
      hub.change('a://1');
      hub.happen({ type: 'list_changed', serverId: 'a', added: ['a://3'], removed: ['a://1'], timestamp });
      hub.happen({ type: 'resource_update', serverId: 'b', resourceUri: 'b://1', timestamp });
      expect(await hub.says('UserPromptSubmit', {}, asked)).toBe('MCP resources that changed: a://1 (2).');
      expect(await hub.says('UserPromptSubmit', {}, asked)).toBe('');
    },
  );

  it('gets a change once, also with simultaneous hooks, and independently of other selections', async () => {
    const hub = new HookedHub();
    const asked = { query: { uri: 'a://1' } };
    const others = [{}, { query: { uri: 'a://2' } }];
    for (const each of [asked, ...others]) await hub.says('UserPromptSubmit', {}, each);
    hub.clock.advance(60_000);
    hub.change('a://1');
    hub.change('a://2');
    const hooks = [hub.says('PostToolUse', {}, asked), hub.says('PostToolUse', {}, asked)];
    expect(await Promise.all(hooks)).toEqual(['MCP resources that changed: a://1 (1).', '']);
    const said = [];
    for (const each of others) said.push(await hub.says('PostToolUse', {}, each));
    expect(said).toEqual(['', 'MCP resources that changed: a://2 (1).']);
  });

  it('names read resources first, and none that were read again', async () => {
    const hub = new HookedHub();
    const asked = { query: { uri: 'a://*' } };
    await hub.says('UserPromptSubmit', {}, asked);
    for (const uri of ['a://read', 'a://again']) hub.read(uri);
    for (const uri of ['a://read', 'a://again', 'a://other', 'b://x']) hub.change(uri);
    hub.read('a://again');
    const other = 'MCP resources that changed: a://other (1).';
    expect(await hub.says('UserPromptSubmit', {}, asked)).toBe(`${changed('a://read (1)')} ${other}`);
  });

  it('gets gaps, once a minute within a turn', async () => {
    const hub = new HookedHub();
    const asked = { query: { server: 'a' } };
    await hub.says('UserPromptSubmit', {}, asked);
    hub.happen({ type: 'gap', serverId: 'b', timestamp });
    expect(await hub.says('PostToolUse', {}, asked)).toBe('');
    hub.happen({ type: 'gap', serverId: 'a', timestamp });
    expect(await hub.says('PostToolUse', {}, asked)).toBe(mayHaveChanged);
    hub.change('a://1');
    expect(await hub.says('PostToolUse', {}, asked)).toBe('');
    hub.clock.advance(60_000);
    expect(await hub.says('PostToolUse', {}, asked)).toBe('MCP resources that changed: a://1 (1).');
    hub.change('a://1');
    hub.start = 10;
    expect(await hub.says('UserPromptSubmit', {}, asked)).toBe(mayHaveChanged);
  });

  it('does not look for events that the journal has lost', async () => {
    const hub = new HookedHub();
    const asked = { query: { server: 'a' } };
    await hub.says('UserPromptSubmit', {}, asked);
    for (let n = 0; n < 1000; n += 1) hub.change('a://1');
    hub.start = 999;
    hub.lookups = 0;
    expect(await hub.says('UserPromptSubmit', {}, asked)).toBe(
      `MCP resources that changed: a://1 (2). ${mayHaveChanged}`,
    );
    expect(hub.lookups).toBe(2);
    // Without a selection, the journal is not used.
    await hub.says('UserPromptSubmit');
    hub.start = 2000;
    expect(await hub.says('UserPromptSubmit')).toBe('');
  });
});
