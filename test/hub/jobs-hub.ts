// A hub in front of a server with tasks, for Ada, Grace and Linus, who have a token each.
import { fixture } from '../support/bundled-program.ts';
import { type RunningHub, runningHub } from './running-hub.ts';

export const adasToken = 'secret-of-ada';
export const gracesToken = 'secret-of-grace';
/** He may call every tool, and read little. */
export const linusToken = 'secret-of-linus';

/** With the server `jobs`, which is a file of test/fixtures. */
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
