// Checks the configuration, and connects once to every server in it.
import { homedir } from 'node:os';
import { LiveError } from '@tidings/live';
import { counted, messageOf, protocolOf, systemCode } from '@tidings/live/portable';
import { delay, foregroundClock } from '@tidings/live/time';
import { type Config, findConfig, loadConfig, openTracker } from '@tidings/track';
import { FileLoginStore, powersOf } from '@tidings/track/internal';
import { loginFolder } from '../setup/login-folder.ts';
import type { ServerStatus } from '@tidings/client/contract';
import { accessTerms } from '../setup/access-terms.ts';
import { assertBuiltIn, howToAddServers } from '../setup/built-in-names.ts';
import { checkIssuers } from './check-issuers.ts';
import { StderrLines, hasStderr } from '../look/stderr-lines.ts';
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
    assertBuiltIn(config, { file });
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
    const none: Finding[] =
      config.servers.length > 0
        ? []
        : [{ verdict: 'note', subject, detail: 'It names no servers.', advice: howToAddServers }];
    return [
      first,
      ...none,
      ...lacking(config),
      ...(await checkServers(config, mayStart, { data, env })),
      ...(await issuers),
    ];
  } catch (error) {
    if (error instanceof LiveError || error instanceof Failure) {
      return error.message.split('\n').map((detail) => ({ verdict: 'wrong', subject, detail }));
    }
    const detail = `${file} cannot be read (${systemCode(error) ?? messageOf(error)}).`;
    return [{ verdict: 'wrong', subject, detail, advice: 'Check its path and its permissions.' }];
  }
}

/** Whether the hub would run the built-in server for OBS. False for an invalid configuration, which is reported. */
export function runsObs({ config: named }: Pick<ConfigCheck, 'config'>): boolean {
  const { env, platform } = process;
  const found = findConfig({ named, workingFolder: process.cwd(), home: homedir(), platform, env });
  if (found === undefined) return true;
  try {
    const { servers } = loadConfig({ file: found.file, env });
    return servers.some((entry) => entry.enabled && 'builtin' in entry && entry.builtin === 'obs');
  } catch {
    return false;
  }
}

/** Servers of another host's file that are disabled for lack of a value. */
function lacking({ servers }: Config): Finding[] {
  return servers.flatMap(({ id, leftOutReason }) =>
    leftOutReason === undefined
      ? []
      : [{ verdict: 'note' as const, subject: id, detail: `It is left out: ${leftOutReason}` }],
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
  const started = new Set(servers.filter((entry) => 'command' in entry).map(({ id }) => id));
  return statuses.map((status) => {
    const advice = started.has(status.id) ? 'Run its command by hand.' : 'Check its address: most are at /mcp.';
    return verdictOn(status, advice, log.of(status.id).slice(-shownLines));
  });
}

function verdictOn(
  { id, state, detail, era, resources }: ServerStatus,
  advice: string,
  stderr: readonly string[],
): Finding {
  if (state === 'live' || state === 'unsupported') {
    const spoken = era === undefined ? 'protocol unknown' : protocolOf(era);
    return { verdict: 'fine', subject: id, detail: `answers (${spoken}, ${counted(resources, 'resource')})` };
  }
  const why = detail === '' ? 'It did not answer in time.' : detail.replace(retries, '');
  if (state === 'needs_login') return { verdict: 'wrong', subject: id, detail: why };
  // A single line is usually part of the reason already.
  const tail = hasStderr(why, stderr) ? '' : ` It wrote: ${stderr.join(' | ')}`;
  return { verdict: 'wrong', subject: id, detail: why, advice: `${advice}${tail}` };
}

/** The text that a hub adds to the reason while it retries. */
const retries = /( \(failed \d+ times in a row\))? Trying again (in [\d.]+ s|now)\.$/;
