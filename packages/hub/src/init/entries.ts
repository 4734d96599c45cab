// The entries for a host's file: the hub, by its address or through `tidings connect`, or a command for each server.
import type { Host } from './host.ts';

export type HostEntry =
  | { type?: 'http'; url: string; headers?: Record<string, string> }
  | { type?: 'stdio'; command: string; args: string[]; env?: Record<string, string> };

/** An input that a host requests from its user and stores itself. */
export interface HostInput {
  type: 'promptString';
  id: string;
  description: string;
  password: true;
}

/** A secret that a server takes from its environment. */
interface Secret {
  variable: string;
  what: string;
  /** Whether it is in the environment of this command. */
  isSet: boolean;
}

export interface Installation {
  /** Absolute paths: a host may have another PATH. */
  node: string;
  bin: string;
  servers: readonly string[];
  /** By server. */
  secrets: Readonly<Record<string, Secret>>;
  hub: URL;
  /** Whether the hub requires a token. The token itself stays in the environment. */
  hasToken: boolean;
  data?: string | undefined;
}

export type HostWay = 'hub' | 'stdio';

const hubName = 'tidings';
const serverName = (server: string) => `tidings-${server}`;

/** The entries by their names in the host's file. */
export function entriesFor(host: Host, way: HostWay, installation: Installation): Record<string, HostEntry> {
  if (way === 'hub')
    return { [hubName]: host.takesAddress ? addressEntry(host, installation) : bridgeEntry(host, installation) };
  return Object.fromEntries(
    installation.servers.map((server) => [serverName(server), commandEntry(host, server, installation)]),
  );
}

/** The inputs that the entries of this host request from its user. */
export function inputsFor(host: Host, way: HostWay, { servers, secrets }: Installation): HostInput[] {
  if (way === 'hub' || !host.asksForSecrets) return [];
  return servers.flatMap((server) => {
    const secret = secrets[server];
    return secret ? [{ type: 'promptString', id: inputId(server), description: secret.what, password: true }] : [];
  });
}

/** Secrets that servers started by the host do not get, unless its user adds them. */
export function unknownSecrets(host: Host, way: HostWay, { servers, secrets }: Installation): [string, Secret][] {
  if (way === 'hub' || host.asksForSecrets) return [];
  return servers.flatMap((server): [string, Secret][] => {
    const secret = secrets[server];
    return secret && !(secret.isSet && host.passesVariables) ? [[serverName(server), secret]] : [];
  });
}

const inputId = (server: string) => `${serverName(server)}-secret`;

export function inputReference(id: string): string {
  return `\${input:${id}}`;
}

/** The inputs that entries of either way may have requested. */
export function ownInputs(host: Host, { servers }: Pick<Installation, 'servers'>): readonly string[] {
  return host.asksForSecrets ? servers.map(inputId) : [];
}

/** A reference to the secret, never the secret itself. */
function secretOf(host: Host, server: string, { secrets }: Installation): Record<string, string> | undefined {
  const secret = secrets[server];
  if (secret === undefined) return undefined;
  if (host.asksForSecrets) return { [secret.variable]: inputReference(inputId(server)) };
  return secret.isSet && host.passesVariables ? { [secret.variable]: host.variable(secret.variable) } : undefined;
}

/** The entries of the other way: with both, a host would have every tool twice. */
export function replacedBy(way: HostWay, { servers }: Pick<Installation, 'servers'>): readonly string[] {
  return way === 'hub' ? servers.map(serverName) : [hubName];
}

function addressEntry(host: Host, { hub, hasToken }: Installation): HostEntry {
  return {
    ...(host.namesType && { type: 'http' }),
    url: hub.href,
    ...(hasToken && { headers: { Authorization: `Bearer ${host.variable('TIDINGS_TOKEN')}` } }),
  };
}

/** The entry for a host that only starts commands. */
function bridgeEntry(host: Host, installation: Installation): HostEntry {
  return started(host, installation, ['connect', '--hub', installation.hub.href]);
}

function commandEntry(host: Host, server: string, installation: Installation): HostEntry {
  const { data } = installation;
  const env = secretOf(host, server, installation);
  const entry = started(host, installation, ['serve', server, ...(data === undefined ? [] : ['--data', data])]);
  return env === undefined ? entry : { ...entry, env };
}

function started(host: Host, { node, bin }: Installation, args: readonly string[]): HostEntry {
  return { ...(host.namesType && { type: 'stdio' }), command: node, args: [bin, ...args] };
}
