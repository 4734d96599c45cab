// A hub with a server that has tasks, for three users (Ada, Grace and Linus) with one token each.
import { fixture } from '../support/program/bundled-program.ts';
import { type RunningHub, runningHub } from './running-hub.ts';

export const adasToken = 'secret-of-ada';
export const gracesToken = 'secret-of-grace';
/** The token may call every tool, and read few resources. */
export const linusToken = 'secret-of-linus';

/** `program` is the server `jobs`, a file of test/fixtures. */
export async function jobsHub(program: string): Promise<RunningHub> {
  const args = [await fixture(program)];
  const hub = await runningHub({
    servers: [{ id: 'jobs', command: process.execPath, args, env: {}, enabled: true, trackResources: false }],
    token: adasToken,
    config: { tokens: [{ env: 'GRACE' }, { env: 'LINUS', allow: ['job://public/**'], tools: ['jobs_*'] }] },
    env: { GRACE: gracesToken, LINUS: linusToken },
  });
  await hub.isLive('jobs');
  return hub;
}
