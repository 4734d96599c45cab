// Changes a note, and waits until the hub has noticed.
import { eventually } from '@tidings/live/testing';
import type { NotesUpstream } from './notes-upstream.ts';
import type { RunningHub } from './running-hub.ts';

/** Resolves when the change is in the journal. */
export async function changeNote({ hub }: RunningHub, notes: NotesUpstream, name: string): Promise<void> {
  const { journal } = hub.tracker;
  const before = journal.end;
  notes.put(name, `changed ${before}`);
  await eventually('the change in the journal', () => {
    for (let position = before; position < journal.end; position += 1) {
      const event = journal.at(position)?.event;
      if (event?.type === 'resource_update' && event.resourceUri === `note://${name}`) return true;
    }
    return false;
  });
}
