// A hub with one server that has a few notes, both for one test.
import { NotesUpstream } from './notes-upstream.ts';
import { type RunningHub, type RunningHubOptions, runningHub } from './running-hub.ts';

export interface HubWithNotes extends AsyncDisposable {
  hub: RunningHub;
  upstream: NotesUpstream;
}

export async function hubWithNotes(options: Omit<RunningHubOptions, 'servers'> = {}): Promise<HubWithNotes> {
  const upstream = await NotesUpstream.start('modern');
  for (const name of ['a', 'b', 'c']) upstream.put(name, 'first');
  const hub = await runningHub({ ...options, servers: [upstream.entry('notes')] });
  await hub.isLive('notes');
  return {
    hub,
    upstream,
    [Symbol.asyncDispose]: async () => {
      await hub[Symbol.asyncDispose]();
      await upstream[Symbol.asyncDispose]();
    },
  };
}
