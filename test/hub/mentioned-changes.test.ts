// The line at the end of a tool result: resources that its caller has read and that have changed since.
import type { CallToolResult } from '@modelcontextprotocol/client';
import { eventually } from '@tidings/live/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AskingClient } from './asking-client.ts';
import { changeNote } from './change-note.ts';
import { NotesUpstream } from './notes-upstream.ts';
import { type RunningHub, runningHub } from './running-hub.ts';

const tokens = { SAID: 's'.repeat(32), SILENT: 'q'.repeat(32) };
const eras = ['modern', 'legacy'] as const;

let notes: NotesUpstream;
let hub: RunningHub;
beforeAll(async () => {
  notes = await NotesUpstream.start('modern');
  for (const era of eras) for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) notes.put(`${era}-${name}`, 'first');
  hub = await runningHub({
    servers: [notes.entry('notes'), { ...notes.entry('untracked'), trackResources: false }],
    config: { tokens: [{ env: 'SAID' }, { env: 'SILENT', mentionChanges: false }] },
    env: tokens,
  });
  await hub.isLive('notes', 'untracked');
});
afterAll(async () => {
  await hub[Symbol.asyncDispose]();
  await notes[Symbol.asyncDispose]();
});

const change = (name: string) => changeNote(hub, notes, name);

function lastText({ content }: CallToolResult): string {
  const last = content.at(-1);
  return last?.type === 'text' ? last.text : '';
}

describe.each(eras)('to a %s client', (era) => {
  const connect = (token: string, info: string) => AskingClient.connect(`${hub.url}/mcp`, era, { token, info });
  const call = (client: AskingClient, name = 'notes_link_notes') => client.client.callTool({ name });

  it('a result ends with the changes since a read, each once', async () => {
    await using client = await connect(tokens.SAID, `reader-${era}`);
    const address = `tidings://notes/note%3A%2F%2F${era}-b`;
    await client.client.readResource({ uri: `note://${era}-a` });
    await client.client.readResource({ uri: address });
    expect(lastText(await call(client))).toBe('');
    await change(`${era}-a`);
    await change(`${era}-c`);
    const line = `Changed since you read it: note://${era}-a (1); read again what you rely on.`;
    expect(lastText(await call(client))).toBe(line);
    expect(lastText(await call(client))).toBe('');
    await change(`${era}-b`);
    expect(lastText(await call(client))).toContain(`: ${address} (1);`);
  });

  it('a result ends with the changes since a subscription', async () => {
    await using client = await connect(tokens.SAID, `subscriber-${era}`);
    const uri = `note://${era}-f`;
    if (era === 'legacy') await client.client.subscribeResource({ uri });
    else await client.client.listen({ resourceSubscriptions: [uri] });
    expect(lastText(await call(client))).toBe('');
    await change(`${era}-f`);
    expect(lastText(await call(client))).toBe(`Changed since you read it: ${uri} (1); read again what you rely on.`);
  });

  it("a result ends with the changes of an untracked server's subscribed resources", async () => {
    await using client = await connect(tokens.SAID, `untracked-${era}`);
    await using alone = await AskingClient.connect(`${hub.url}/mcp/untracked`, era, { token: tokens.SAID });
    const uri = `tidings://untracked/note%3A%2F%2F${era}-g`;
    for (const [each, asked] of [[client, uri] as const, [alone, `note://${era}-g`] as const]) {
      if (era === 'legacy') await each.client.subscribeResource({ uri: asked });
      else await each.client.listen({ resourceSubscriptions: [asked] });
    }
    expect(lastText(await call(client))).toBe('');
    notes.put(`${era}-g`, 'changed');
    // Two subscriptions at the hub count as one change.
    const line = `Changed since you read it: ${uri} (1); read again what you rely on.`;
    await eventually('the line', async () => lastText(await call(client)) === line);
  });

  it('a result with a schema has the line in _meta, without additional content', async () => {
    await using client = await connect(tokens.SAID, `writer-${era}`);
    await client.client.readResource({ uri: `note://${era}-d` });
    await change(`${era}-d`);
    const result = await client.client.callTool({ name: 'notes_put_note', arguments: { name: 'z', text: 'x' } });
    expect(result.structuredContent).toEqual({ saved: 'z' });
    expect(result.content).toHaveLength(1);
    expect(result._meta?.['tidings/changed']).toBe(
      `Changed since you read it: note://${era}-d (1); read again what you rely on.`,
    );
  });

  it('callers get only changes of resources that they have read', async () => {
    await using reader = await connect(tokens.SAID, `one-${era}`);
    await using other = await connect(tokens.SAID, `other-${era}`);
    await reader.client.readResource({ uri: `note://${era}-e` });
    await change(`${era}-e`);
    expect(lastText(await call(other))).toBe('');
    expect(lastText(await call(reader))).not.toBe('');
  });

  it('a token can turn the line off', async () => {
    await using client = await connect(tokens.SILENT, `silent-${era}`);
    await client.client.readResource({ uri: `note://${era}-f` });
    await change(`${era}-f`);
    expect(lastText(await call(client))).toBe('');
  });
});
