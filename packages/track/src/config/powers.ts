// What a configuration does beyond connecting to addresses: start commands, send environment values to servers, open
// the hub to others, change its limits or its audit log. If the file was only found, and not named, the user must agree
// to each of these first.
import { addressDigest } from './config-change.ts';
import type { CommandEntry, Config, ServerEntry } from './config.ts';

export interface Power {
  readonly kind: 'command' | 'values' | 'access' | 'safeguards';
  /** Identifies the power: when this changes, consent is required again. Contains no secret. */
  readonly text: string;
  /** The description for the user: "start notes: node notes.js". */
  readonly words: string;
}

export function powersOf(config: Config): Power[] {
  return [...config.servers.flatMap(ofServer), ...ofAccess(config), ...ofSafeguards(config)];
}

function ofServer(entry: ServerEntry): Power[] {
  const { id, filledIn = [] } = entry;
  const text = `${id} ${addressDigest(entry)}`;
  if ('command' in entry) return [{ kind: 'command', text, words: `start ${id}: ${commandLine(entry, filledIn)}` }];
  if (!('url' in entry) || filledIn.length === 0) return [];
  const { host } = new URL(entry.url);
  return [{ kind: 'values', text, words: `send values of your environment to ${host} (${id})` }];
}

/** Everything that decides what is run, without values of the environment. */
function commandLine({ command, args, workingDirectory, env }: CommandEntry, secrets: readonly string[]): string {
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const line = [
    [command, ...args].join(' '),
    ...(workingDirectory === undefined ? [] : [`in ${workingDirectory}`]),
    ...(variables.length === 0 ? [] : [`with ${variables.join(' ')}`]),
  ].join(', ');
  return secrets.reduce((shown, secret) => (secret === '' ? shown : shown.replaceAll(secret, '…')), line);
}

function ofAccess(config: Config): Power[] {
  const { tokens, oauth, redactions = {}, cors = [], hosts = [], proxies = [], realtime = [] } = config;
  const variables = tokens.map(({ env }) => env);
  const issuers = oauth?.issuers ?? [];
  const opened: readonly [string, readonly string[], readonly unknown[]][] = [
    ['accept as a token the value of', variables, tokens],
    ['accept access tokens of', issuers.map(({ issuer }) => issuer), issuers],
    // The entry itself counts, because the name of a redaction may come from the environment or be built in.
    ['decide what is hidden by the redactions', Object.keys(redactions), [redactions]],
    ['let web pages use the hub, of', cors, cors],
    ['answer under the names', hosts, hosts],
    ['believe what is said of clients by', proxies, proxies],
    ['send messages and keys of agents to', realtime, realtime],
  ];
  return opened.flatMap(([what, names, terms]) =>
    names.length === 0
      ? []
      : [{ kind: 'access', text: `${what} ${JSON.stringify(terms)}`, words: `${what} ${names.join(', ')}` }],
  );
}

function ofSafeguards({ limits, audit }: Config): Power[] {
  const kind = 'safeguards';
  const set: Power[] = [];
  if (limits !== undefined) {
    const text = `limits ${JSON.stringify(limits)}`;
    set.push({ kind, text, words: `set limits of callers: ${Object.keys(limits).join(', ')}` });
  }
  if (audit !== undefined) {
    const words = audit === false ? 'keep no audit log' : 'decide what the audit log keeps';
    set.push({ kind, text: `audit ${JSON.stringify(audit)}`, words });
  }
  return set;
}
