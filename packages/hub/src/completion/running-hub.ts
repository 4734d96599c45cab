// The names that a running hub has, for shell completion. A hub that does not answer soon counts as having none: the
// user waits at the prompt.
import { resourcesAnswer, serversAnswer } from '@tidings/client/contract';
import { foregroundClock, timeLimit } from '@tidings/live/time';
import { hubEndpoint, serverEndpoint } from '../look/target.ts';
import { HubApiClient } from '../http/hub-api-client.ts';
import type { Candidate } from './candidate.ts';
import type { HubNames } from './candidates.ts';

const patienceMs = 2000;
const mostUris = 1000;

export function runningHub(hub: URL, token: string | undefined, withinMs = patienceMs): HubNames {
  const api = new HubApiClient(hub, token, withinMs);
  const listed = async (server: string, kind: 'tools' | 'prompts') => {
    // Loaded where it is used: most completions need no MCP client.
    const [{ withSession }, { listOf }] = await Promise.all([
      import('../look/with-session.ts'),
      import('../look/list.ts'),
    ]);
    const limit = timeLimit(foregroundClock, withinMs);
    const target = { kind: 'hub', url: serverEndpoint(hubEndpoint(hub), server), token } as const;
    const listing = withSession(target, (session) => listOf(session, kind), { signal: limit.signal });
    const { items } = await listing.finally(() => limit.clear());
    return items.map(({ name, title, description = '' }) => ({ value: name, summary: title ?? description }));
  };
  return {
    uris: () =>
      orNone(async () => {
        const { resources } = await api.ask(`/api/resources?limit=${mostUris}`, resourcesAnswer);
        return resources.map(({ uri, title, name }) => ({ value: uri, summary: title ?? name }));
      }),
    servers: () =>
      orNone(async () => {
        const { servers } = await api.ask('/api/servers', serversAnswer);
        return servers.map(({ id, description = '' }) => ({ value: id, summary: description }));
      }),
    tools: (server) => orNone(() => listed(server, 'tools')),
    prompts: (server) => orNone(() => listed(server, 'prompts')),
  };
}

/** Drops names that look like a flag: a server named `--hub=…` would send the token elsewhere. */
async function orNone(read: () => Promise<readonly Candidate[]>): Promise<readonly Candidate[]> {
  try {
    return (await read()).filter(({ value }) => !value.startsWith('-'));
  } catch {
    return [];
  }
}
