// From a server's notification to an agent: an update on the event stream while a realtime session is
// connected is in its transcript, once. The hub is a process, the server behind it is real, the session is that
// of the real client library.
import { eventually } from '@tidings/live/testing';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { chromiumNeed, openPage, sharedBrowser } from '../dashboard/open-page.ts';
import { NotesUpstream } from '../hub/notes-upstream.ts';
import { HubProcess } from '../support/hub-process.ts';
import { describeWith } from '../support/needs.ts';
import { RealtimeServer } from '../support/realtime-server.ts';
import { SseClient } from '../support/sse-client.ts';

const sessionSchema = z.object({ id: z.string(), state: z.string() });
const sessionsSchema = z.object({ sessions: z.array(sessionSchema) });
const transcriptSchema = z.object({ entries: z.array(z.object({ kind: z.string(), text: z.string() })) });

interface Stage extends AsyncDisposable {
  hub: HubProcess;
  notes: NotesUpstream;
  realtime: RealtimeServer;
  events: SseClient;
  sessionId: string;
  /** The lines of the session's transcript. */
  lines(this: void): Promise<string[]>;
}

/** A hub with a server behind it, its event stream open, and a realtime session connected. */
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

/** The line that the event of a resource comes to. */
function lineFor(events: SseClient, uri: string): string {
  const { timestamp } = events.all('resource_update').find(({ resourceUri }) => resourceUri === uri) ?? {};
  return `Resource ${uri} updated for MCP server notes at ${timestamp}`;
}

it('is told to the session that is connected, once, also where the server repeats itself', async () => {
  await using given = await stage();
  const { hub, notes, realtime, events, lines } = given;
  notes.put('a', 'second');
  await eventually('the line', async () => (await lines()).length === 1);
  // Once more the same, well after the hub has read it: the second notification must not become a second line.
  // A read that is completed at the same moment may have found what the notification is about.
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
    // What is told next is told after everything there was to say of the first.
    notes.put('b', 'second');
    await page.getByText('Resource note://b updated').waitFor();
    expect(await line.count()).toBe(1);
    expect(realtime.messages).toHaveLength(2);
  });
});
