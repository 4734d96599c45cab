// Checks the configuration, and connects once to every server in it.
import { homedir } from 'node:os';
import { LiveError } from '@tidings/live';
import { delay, foregroundClock } from '@tidings/live/time';
import { type Config, findConfig, loadConfig, openTracker } from '@tidings/track';
import { FileLoginStore, powersOf } from '@tidings/track/internal';
import { loginFolder } from '../setup/login-folder.ts';
import type { ServerStatus } from '@tidings/client/contract';
import { accessTerms } from '../setup/access-terms.ts';
import { checkIssuers } from './check-issuers.ts';
import { StderrLines } from '../look/stderr-lines.ts';
import { Failure } from '../terminal/failure.ts';
import { inShort, isTrusted } from '../setup/trusted-commands.ts';
import type { Finding } from './finding.ts';

const patienceMs = 8000;
const shownLines = 5;

interface ConfigCheck {
  data: string;
  config?: string;
  trust?: boolean;
}

export async function checkConfig({ data, config: named, trust = false }: ConfigCheck): Promise<Finding[]> {
  const { env, platform } = process;
  const found = findConfig({ named, workingFolder: process.cwd(), home: homedir(), platform, env });
  const subject = 'config';
  if (found === undefined)
    return [{ verdict: 'fine', subject, detail: 'There is no file: the built-in servers are used.' }];
  const { file, wasNamed } = found;
  try {
    const config = loadConfig({ file, env });
    await accessTerms(config, { file, env });
    const powers = powersOf(config);
    const mayStart = wasNamed || trust || isTrusted(file, powers);
    const first: Finding = mayStart
      ? { verdict: 'fine', subject, detail: file }
      : {
          verdict: 'note',
          subject,
          detail: `${file} was found here and would ${inShort(powers)}; these servers were not checked.`,
          advice: 'Review the file, then add --trust, or name it with --config.',
        };
    const issuers = checkIssuers(config);
    return [first, ...lacking(config), ...(await checkServers(config, mayStart, { data, env })), ...(await issuers)];
  } catch (error) {
    const isExplained = error instanceof LiveError || error instanceof Failure;
    const problems = isExplained ? error.message.split('\n') : [`${file} cannot be read.`];
    return problems.map((detail) => ({ verdict: 'wrong', subject, detail }));
  }
}

/** Servers of another host's file that are disabled for lack of a value. */
function lacking({ servers }: Config): Finding[] {
  return servers.flatMap(({ id, lacks }) =>
    lacks === undefined ? [] : [{ verdict: 'note' as const, subject: id, detail: `It is left out: ${lacks}` }],
  );
}

async function checkServers(
  config: Config,
  mayStart: boolean,
  { data, env }: { data: string; env: NodeJS.ProcessEnv },
): Promise<Finding[]> {
  const outside = config.servers.filter(
    (entry) => !('builtin' in entry) && (mayStart || ('url' in entry && entry.filledIn === undefined)),
  );
  const servers = outside.filter(({ enabled }) => enabled);
  const log = new StderrLines();
  const logins = new FileLoginStore(loginFolder(data), foregroundClock);
  const tracker = await openTracker({ config: { servers, tokens: [] }, env, logins, log });
  let statuses: readonly ServerStatus[];
  try {
    const deadline = foregroundClock.now() + patienceMs;
    while (tracker.servers().some(({ state }) => state === 'connecting') && foregroundClock.now() < deadline) {
      await delay(foregroundClock, 50);
    }
    statuses = tracker.servers();
  } finally {
    await tracker.close();
  }
  // The last output of a server is complete only when its process has ended.
  return statuses.map((status) => verdictOn(status, log.of(status.id).slice(-shownLines)));
}

function verdictOn({ id, state, detail, era, resources }: ServerStatus, stderr: readonly string[]): Finding {
  if (state === 'live' || state === 'unsupported') {
    return { verdict: 'fine', subject: id, detail: `answers (${era ?? 'era unknown'}, ${resources} resources)` };
  }
  const why = detail === '' ? 'It did not answer in time.' : detail;
  if (state === 'needs_login') return { verdict: 'wrong', subject: id, detail: why };
  const tail = stderr.length === 0 ? '' : ` It wrote: ${stderr.join(' | ')}`;
  return {
    verdict: 'wrong',
    subject: id,
    detail: why,
    advice: `Run its command by hand, or check its address in the configuration.${tail}`,
  };
}
