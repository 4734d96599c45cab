// From a server's notification to an agent: while a realtime session is connected, each update on the event stream
// appears once in its transcript. The hub is a process, the server is real, and the session uses the real client
// library.
import { eventually } from '@tidings/live/testing';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { chromiumNeed, openPage, sharedBrowser } from '../dashboard/open-page.ts';
import { NotesUpstream } from '../hub/notes-upstream.ts';
import { HubProcess } from '../support/program/hub-process.ts';
import { describeWith } from '../support/run/needs.ts';
import { RealtimeServer } from '../support/counterpart/realtime-server.ts';
import { SseClient } from '../support/wire/sse-client.ts';

const sessionSchema = z.object({ id: z.string(), state: z.string() });
const sessionsSchema = z.object({ sessions: z.array(sessionSchema) });
const transcriptSchema = z.object({ entries: z.array(z.object({ kind: z.string(), text: z.string() })) });

interface Stage extends AsyncDisposable {
  hub: HubProcess;
  notes: NotesUpstream;
  realtime: RealtimeServer;
  events: SseClient;
  sessionId: string;
  /** The lines in the transcript of the session. */
  lines(this: void): Promise<string[]>;
}

/** A hub with a server, its open event stream, and a connected realtime session. */
async function stage(): Promise<Stage> {
  const notes = await NotesUpstream.start('modern');
  for (const name of ['a', 'b']) notes.put(name, 'first');
  const realtime = await RealtimeServer.start();
  const hub = await HubProcess.start({
    servers: [notes.entry('notes')],
    realtime: [realtime.url],
    env: { REALTIME_KEY: 'sk-test' },
  });
  const events = await SseClient.open(`${hub.url}/api/mcp/resource-events`);
  const request = { kind: 'openai-realtime', key_env: 'REALTIME_KEY', url: realtime.url };
  const { id: sessionId } = sessionSchema.parse(await hub.json('/api/sessions', request));
  await eventually('the session to be connected', async () => {
    const { sessions } = sessionsSchema.parse(await hub.json('/api/sessions'));
    return sessions.find(({ id }) => id === sessionId)?.state === 'attached';
  });
  return {
    hub,
    notes,
    realtime,
    events,
    sessionId,
    lines: async () => {
      const { entries } = transcriptSchema.parse(await hub.json(`/api/sessions/${sessionId}/transcript`));
      return entries.filter(({ kind }) => kind === 'message').map(({ text }) => text);
    },
    [Symbol.asyncDispose]: async () => {
      events.close();
      await hub.kill();
      await realtime[Symbol.asyncDispose]();
      await notes[Symbol.asyncDispose]();
    },
  };
}

/** The transcript line for the event of a resource. */
function lineFor(events: SseClient, uri: string): string {
  const { timestamp } = events.all('resource_update').find(({ resourceUri }) => resourceUri === uri) ?? {};
  return `Resource ${uri} updated for MCP server notes at ${timestamp}`;
}

it('sends the connected session one line per change, also when the server repeats a notification', async () => {
  await using given = await stage();
  const { hub, notes, realtime, events, lines } = given;
  notes.put('a', 'second');
  await eventually('the line', async () => (await lines()).length === 1);
  // A notification of the same content must not add a line. It comes well after the hub's read: right after a read,
  // the hub could not know whether the notification is about a later change.
  await hub.hasReadAll(200);
  notes.put('a', 'second');
  await eventually('the repetition to be found out', async () => {
    return (await hub.metric('tidings_events_withheld_total')) === 1;
  });
  notes.put('b', 'second');
  await eventually('what came after it', () => realtime.messages.length === 2);
  expect(events.updates).toEqual(['note://a', 'note://b']);
  const told = [lineFor(events, 'note://a'), lineFor(events, 'note://b')];
  expect(told[0]).toMatch(/ at \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  expect(realtime.messages).toEqual(told);
  expect(await lines()).toEqual(told);
  expect(realtime.received.map(({ type }) => type)).not.toContain('response.create');
});

describeWith(chromiumNeed, 'in a browser', () => {
  it('shows the line in the transcript of the connected session, once', async () => {
    await using given = await stage();
    const { hub, notes, realtime, events, sessionId } = given;
    await using opened = await openPage(await sharedBrowser(), `${hub.url}/#/sessions?id=${sessionId}`);
    const { page } = opened;
    await page.getByText('attached', { exact: true }).last().waitFor();
    notes.put('a', 'second');
    await eventually('the event', () => events.updates.length === 1);
    const line = page.getByRole('listitem').filter({ hasText: 'Resource note://a updated' });
    await line.getByText(lineFor(events, 'note://a'), { exact: true }).waitFor();
    // The next line proves that no second line follows.
    notes.put('b', 'second');
    await page.getByText('Resource note://b updated').waitFor();
    expect(await line.count()).toBe(1);
    expect(realtime.messages).toHaveLength(2);
  });
});
