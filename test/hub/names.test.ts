// The selection of a server's tools, and their names.
import { eventually } from '@tidings/live/testing';
import type { Config, UrlEntry } from '@tidings/track';
import { describe, expect, it } from 'vitest';
import { AskingClient } from './asking-client.ts';
import { NotesUpstream } from './notes-upstream.ts';
import { runningHub } from './running-hub.ts';

const namesAt = async (client: AskingClient) => (await client.client.listTools()).tools.map(({ name }) => name);

describe('the tools of a server', () => {
  it('are those selected by its entry, at both addresses, also after an edit', async () => {
    await using notes = await NotesUpstream.start('modern');
    const entry = (tools: UrlEntry['tools']): UrlEntry => ({ ...notes.entry('notes'), tools });
    const config = (tools: UrlEntry['tools']): Config => ({ servers: [entry(tools)], tokens: [] });
    await using hub = await runningHub({ servers: config({ include: ['*_note'], exclude: ['slow_*'] }).servers });
    await hub.isLive('notes');
    await using all = await AskingClient.connect(`${hub.url}/mcp`, 'modern');
    await using alone = await AskingClient.connect(`${hub.url}/mcp/notes`, 'modern');
    expect((await namesAt(all)).filter((name) => name.startsWith('notes_'))).toEqual(['notes_put_note']);
    expect(await namesAt(alone)).toEqual(['put_note']);
    await expect(alone.client.callTool({ name: 'slow_note' })).rejects.toThrow(/slow_note/);
    const { connects } = hub.status('notes') ?? {};
    hub.hub.apply(config({ exclude: ['put_note'] }));
    await eventually('other tools', async () => !(await namesAt(alone)).includes('put_note'));
    expect(await namesAt(alone)).toEqual(expect.arrayContaining(['link_notes', 'slow_note']));
    expect(hub.status('notes')?.connects).toBe(connects);
  });

  it('have names that fit the limits of a host with any prefix', async () => {
    await using notes = await NotesUpstream.start('modern');
    notes.server.tool(`find_${'very_'.repeat(11)}long`, {}, () => 'found');
    const servers = [notes.entry('notes')];
    await using hub = await runningHub({ servers });
    await hub.isLive('notes');
    await using client = await AskingClient.connect(`${hub.url}/mcp`, 'modern');
    const short = (await namesAt(client)).find((name) => name.startsWith('notes_find_')) ?? '';
    expect(`mcp__tidings__${short}`).toMatch(/^[\w-]{1,64}$/);
    expect(await client.call(short)).toBe('found');
    hub.hub.apply({ servers, tokens: [], hostPrefix: 'mcp__a-longer-name__' });
    const shorter = await eventually('a shorter name', async () =>
      (await namesAt(client)).find((name) => name.startsWith('notes_find_') && name.length <= 44),
    );
    expect(await client.call(shorter)).toBe('found');
  });

  it('are all listed, even if the shortened name of one equals the name of another', async () => {
    await using notes = await NotesUpstream.start('modern');
    notes.server.tool('find by name', {}, () => 'found');
    await using hub = await runningHub({ servers: [notes.entry('notes')] });
    await hub.isLive('notes');
    await using client = await AskingClient.connect(`${hub.url}/mcp`, 'modern');
    const found = async () => (await namesAt(client)).filter((name) => name.startsWith('notes_find_by_name'));
    const [short = ''] = await found();
    notes.server.tool(short.slice('notes_'.length), {}, () => 'another');
    const [, other = ''] = await eventually('both', async () => {
      const names = await found();
      return names.length === 2 ? names.toSorted() : undefined;
    });
    expect([await client.call(short), await client.call(other)]).toEqual(['found', 'another']);
    // The definitions are made again, in the other order.
    hub.hub.apply({ servers: [notes.entry('notes')], tokens: [], hostPrefix: '' });
    hub.hub.apply({ servers: [notes.entry('notes')], tokens: [] });
    expect([await client.call(short), await client.call(other)]).toEqual(['found', 'another']);
  });

  it('are listed beside tools of the hub with the same name', async () => {
    await using notes = await NotesUpstream.start('modern');
    notes.server.tool('changes', {}, () => 'of the server');
    await using hub = await runningHub({ servers: [notes.entry('list')] });
    await hub.isLive('list');
    await using client = await AskingClient.connect(`${hub.url}/mcp`, 'modern');
    const names = (await namesAt(client)).filter((name) => name.startsWith('list_changes'));
    expect(names).toHaveLength(2);
    expect(await client.call('list_changes')).toContain('cursor');
    expect(await client.call(names.find((name) => name !== 'list_changes') ?? '')).toBe('of the server');
  });
});
