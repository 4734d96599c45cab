// `tidings connect`: a running hub on stdin and stdout, for hosts that can only start commands.
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { type Era, connectStdio, eventually, told } from '@tidings/live/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { NotesUpstream } from '../hub/notes-upstream.ts';
import { runningHub } from '../hub/running-hub.ts';
import { WireClient } from '../support/wire/wire-client.ts';
import { freshFolder } from '../vcon/import-fixture.ts';
import { tidingsCommand } from './hosted-tidings.ts';
import { TidingsProcess, bin, cleanEnvironment } from './tidings-process.ts';

function bridgeTo(url: string, env: Record<string, string> = {}) {
  const all = { ...cleanEnvironment(), ...env };
  return { command: process.execPath, args: [bin, 'connect', '--hub', url], env: stringsOf(all) };
}

describe.each(['modern', 'legacy'] as const)('tidings connect, for a %s client', (era) => {
  test('forwards lists, reads, tools and changes, also after a restart of the hub', async () => {
    await using upstream = await NotesUpstream.start('modern');
    upstream.put('a', 'one');
    const place = await freshFolder();
    const options = { servers: [upstream.entry('notes')], token: 'whole', place };
    let hub = await runningHub(options);
    await hub.isLive('notes');
    const { port } = new URL(hub.url);
    const client = await connectStdio(bridgeTo(hub.url, { TIDINGS_TOKEN: 'whole' }), era);
    onTestFinished(() => client.close());
    expect(await client.listAll()).toContain('note://a');
    await client.subscribe('note://a');
    await client.call('notes_put_note', { name: 'a', text: 'two' });
    await told(client, 'note://a');
    expect(await client.read('note://a')).toBe('two');

    await hub[Symbol.asyncDispose]();
    upstream.put('a', 'three');
    const before = client.updates.length;
    hub = await runningHub({ ...options, port: Number(port) });
    onTestFinished(() => hub[Symbol.asyncDispose]());
    await eventually('the change that was made meanwhile', () => client.updates.length > before);
    expect(await client.read('note://a')).toBe('three');
  });
});

describe('tidings connect', () => {
  test('notifies each of two windows, of either era, of changes since its own reads', async () => {
    await using upstream = await NotesUpstream.start('modern');
    upstream.put('a', 'one');
    upstream.put('b', 'one');
    await using hub = await runningHub({ servers: [upstream.entry('notes')] });
    await hub.isLive('notes');
    const open = (era: Era) => WireClient.connect(new StdioClientTransport(bridgeTo(hub.url)), era);
    await using first = await open('modern');
    await using second = await open('legacy');
    await first.client.readResource({ uri: 'note://a' });
    await second.client.readResource({ uri: 'note://a' });
    await second.client.readResource({ uri: 'note://b' });
    for (const name of ['a', 'b']) upstream.put(name, 'two');
    const { journal } = hub.hub.tracker;
    const updates = () => journal.read({ limit: 100 }).entries.filter(({ event }) => event.type === 'resource_update');
    await eventually('both changes', () => updates().length === 2);
    const line = (uris: string) => ({ text: `Changed since you read it: ${uris}; read again what you rely on.` });
    const linesIn = async ({ client }: WireClient) => {
      const { content } = await client.callTool({ name: 'notes_link_notes' });
      return content.filter(({ type }) => type === 'text');
    };
    expect(await linesIn(first)).toMatchObject([line('note://a (1)')]);
    expect(await linesIn(second)).toMatchObject([line('note://a (1), note://b (1)')]);
    expect(await linesIn(first)).toEqual([]);
  });

  test('reports on stderr that no hub answers, and ends with its host', async () => {
    const bridge = new TidingsProcess(['connect', '--hub', await freeAddress()]);
    await eventually('the reason', () => bridge.stderr.includes('Still trying.'));
    expect(bridge.stderr).toContain('No hub answers');
    bridge.child.stdin.end();
    expect(await bridge.ended).toMatchObject({ code: 0, stdout: '' });
  });

  test('has the resources of a hub that is started later', async () => {
    await using upstream = await NotesUpstream.start('legacy');
    upstream.put('a', 'one');
    const url = await freeAddress();
    const client = await connectStdio(bridgeTo(url), 'legacy');
    onTestFinished(() => client.close());
    expect(await client.listAll()).toEqual([]);
    await using _hub = await runningHub({ servers: [upstream.entry('notes')], port: Number(new URL(url).port) });
    await eventually('the list', async () => (await client.listAll()).includes('note://a'));
    await eventually('its announcement', () => client.listChanges.includes('notifications/resources/list_changed'));
  });

  test('takes no operands', async () => {
    expect(await tidingsCommand(['connect', 'vcon'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/--hub/),
    });
  });
});

/** The address of a hub that has been closed. */
async function freeAddress(): Promise<string> {
  await using hub = await runningHub();
  return hub.url;
}

function stringsOf(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
