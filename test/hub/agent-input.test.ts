// The agent-input example, with a hub and a change.
import { agentInput } from '@tidings/examples/agent-input';
import { eventually } from '@tidings/live/testing';
import { expect, it } from 'vitest';
import { NotesUpstream } from './notes-upstream.ts';
import { runningHub } from './running-hub.ts';

it("agent input contains the user's message first, then the changes", async () => {
  await using upstream = await NotesUpstream.start('legacy');
  upstream.put('a', 'first');
  await using hub = await runningHub({ servers: [upstream.entry('notes')] });
  await hub.isLive('notes');
  const ending = new AbortController();
  const input = agentInput(hub.url, ending.signal);
  expect((await input.next()).value).toMatchObject({ role: 'user' });
  const next = input.next();
  await eventually('it to listen', () => hub.hub.tracker.events.readers === 1);
  upstream.put('a', 'second');
  expect((await next).value).toMatchObject({
    role: 'system',
    content: expect.stringContaining('Resource note://a updated'),
  });
  ending.abort();
  expect((await input.next()).done).toBe(true);
});
