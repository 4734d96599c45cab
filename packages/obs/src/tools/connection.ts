// Tools for the connection to OBS itself.
import type { LiveServer } from '@tidings/live';
import { noArguments } from '@tidings/live/internal';
import { statusUri } from '../model/uri.ts';
import type { Obs } from '../source/obs.ts';
import { readStatus } from '../status.ts';
import { answer, changed } from './answer.ts';

/** How long to wait for a requested attempt. */
const patienceMs = 3000;

export function addConnectionTools(server: LiveServer, obs: Obs): void {
  server.tool(
    'get_status',
    {
      title: 'What OBS is doing',
      description: 'Whether OBS is connected, its program scene, streaming and recording. Works without OBS.',
      input: noArguments,
      output: changed,
      annotations: { readOnlyHint: true },
    },
    async () => answer([statusUri], await readStatus(obs)),
  );

  server.tool(
    'reconnect_obs',
    {
      title: 'Try to reach OBS now',
      description:
        'Use it after OBS refused the password and the password was changed. Other lost connections are restored automatically.',
      input: noArguments,
      output: changed,
      annotations: { idempotentHint: true },
    },
    async () => {
      await obs.reconnect(patienceMs);
      return answer([statusUri], await readStatus(obs));
    },
  );
}
