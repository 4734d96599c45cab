// For each promise to pages and agents, a small way to break it in the client, and the test that must fail.
import type { BrokenSources } from './broken-sources.ts';

export const clientSabotages: BrokenSources = {
  folder: 'packages/client',
  sabotages: [
    {
      name: 'puts text of a server into sentences for agents',
      file: 'tell/message.ts',
      find: 'Resource ${plainUri(resourceUri)} updated',
      replace: 'Resource ${resourceUri} updated',
      test: 'packages/client/src/tell/message.test.ts',
      title: 'contains no text of a server unchanged, and stays short',
    },
    {
      name: 'does not continue at the cursor of an earlier run',
      file: 'follow/follow.ts',
      find: 'cursor: options.after,',
      replace: '',
      test: 'packages/client/src/follow/updates.test.ts',
      title: 'continues after the cursor of an earlier run',
    },
  ],
};
