// The actions for one server: ping and restart; disable, enable and remove in the configuration file.
import type { ServerStatus } from '@tidings/client/contract';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { pingServer, removeServer, restartServer, setEnabled } from '../../hub/api.ts';
import type { HubState } from '../../state/hub-state.ts';
import { ProblemNote } from '../element/problem-note.tsx';
import { useProblem } from '../element/use-problem.ts';
import { href } from '../route.ts';

export function ServerActions({ server, hub }: { server: ServerStatus; hub: HubState }): JSX.Element {
  const { problem, attempt } = useProblem();
  const [answeredMs, setAnsweredMs] = useState<number>();
  const ping = async () => {
    setAnsweredMs(undefined);
    setAnsweredMs(await pingServer(server.id));
  };
  const remove = async () => {
    if (!confirm(`Remove "${server.id}" from ${hub.configFile ?? 'the configuration'}? A backup of the file is kept.`))
      return;
    await removeServer(server.id);
    location.hash = href('servers');
    await hub.refreshServers();
  };
  return (
    <div class="actions">
      <ProblemNote text={problem} />
      <span class="faint" role="status" aria-label="Ping">
        {answeredMs !== undefined && `Answered in ${answeredMs} ms`}
      </span>
      <button type="button" class="button" disabled={!server.enabled} onClick={() => void attempt(ping)}>
        Ping
      </button>
      <button
        type="button"
        class="button"
        disabled={!server.enabled}
        onClick={() => void attempt(async () => hub.replaceServer(await restartServer(server.id)))}
      >
        {server.state === 'backoff' || server.state === 'needs_login' ? 'Try now' : 'Restart'}
      </button>
      {typeof hub.configFile === 'string' && (
        <>
          <button
            type="button"
            class="button"
            onClick={() => void attempt(async () => hub.replaceServer(await setEnabled(server.id, !server.enabled)))}
          >
            {server.enabled ? 'Disable' : 'Enable'}
          </button>
          <button type="button" class="button" onClick={() => void attempt(remove)}>
            Remove
          </button>
        </>
      )}
    </div>
  );
}
