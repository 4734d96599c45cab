// Finds the server for `tidings login` and `tidings logout`: an entry of the configuration, or any address.
import { homedir } from 'node:os';
import { parsedUrl, systemCode } from '@tidings/live/portable';
import { LiveError } from '@tidings/live';
import { type Config, type ServerEntry, type UrlEntry, findConfig, loadConfig, parseConfig } from '@tidings/track';
import { concealer, loginKey, powersOf, usesOAuth, withConfigTable } from '@tidings/track/internal';
import { isDatabase, shownPlace } from '../base/data-place.ts';
import { withoutSecretsInUri } from '../base/without-secrets.ts';
import { closest } from '../look/closest.ts';
import { inShort, isTrusted } from '../setup/trusted-commands.ts';
import { Failure } from '../terminal/failure.ts';

export interface LoginTargetSettings {
  data: string;
  config?: string;
}

interface LoginConfig {
  config: Config;
  source: string;
  /** Whether the user named the file. */
  isGiven: boolean;
}

export async function loginTarget(server: string, settings: LoginTargetSettings): Promise<UrlEntry> {
  const address = /^https?:/i.test(server) ? parsedUrl(server) : undefined;
  if (address) {
    const entry = { id: '', url: address.href, headers: {}, enabled: true, trackResources: false };
    return checked({ ...entry, id: shownAddress(entry) });
  }
  const found = await configured(settings);
  const entry = found?.config.servers.find(({ id }) => id === server);
  if (!found || !entry) throw unknown(server, found);
  const { filledIn = [] } = entry;
  const powers = powersOf(found.config);
  if (filledIn.length > 0 && !found.isGiven && !isTrusted(found.source, powers)) {
    throw new Failure(
      `${found.source} was found here and would ${inShort(powers)}. Review it, then name it with --config.`,
    );
  }
  return checked(entry);
}

/** The address of a login for output and records, without possible secrets. */
export function shownAddress(entry: UrlEntry): string {
  return withoutSecretsInUri(concealer(entry)(loginKey(entry.url)));
}

function checked(entry: ServerEntry): UrlEntry {
  const { id } = entry;
  if (!('url' in entry)) {
    throw new Failure(`"${id}" is not reached over HTTP, so there is nothing to log in to.`);
  }
  if (!usesOAuth(entry)) {
    throw new Failure(
      `"${id}" has credentials of its own ("Authorization" in its headers, or in its URL), which take precedence. Remove them to log in.`,
    );
  }
  if (entry.oauth?.grant !== undefined) {
    throw new Failure(`"${id}" logs in by itself, with the client credentials of its entry.`);
  }
  return entry;
}

async function configured({ config: named, data }: LoginTargetSettings): Promise<LoginConfig | undefined> {
  const { env, platform } = process;
  try {
    const stored =
      named === undefined && isDatabase(data) ? await withConfigTable(data, (table) => table.read()) : undefined;
    if (stored !== undefined) {
      const source = shownPlace(data);
      return { config: parseConfig(stored, { file: source, env }), source, isGiven: false };
    }
    const found = findConfig({ named, workingFolder: process.cwd(), home: homedir(), platform, env });
    return found && { config: loadConfig({ file: found.file, env }), source: found.file, isGiven: found.wasNamed };
  } catch (error) {
    if (error instanceof LiveError) throw new Failure(error.message);
    const code = systemCode(error);
    if (code !== undefined) throw new Failure(`${named} cannot be read (${code}).`);
    throw error;
  }
}

function unknown(server: string, found: LoginConfig | undefined): Failure {
  if (!found)
    return new Failure(`There is no configuration with a server "${server}". Name its URL, or a file with --config.`);
  const ids = found.config.servers.filter((entry) => 'url' in entry).map(({ id }) => id);
  const [like] = closest(server, ids);
  const advice = like ? ` Did you mean "${like}"?` : ` Reached over HTTP: ${ids.join(', ') || 'none'}.`;
  return new Failure(`${found.source} has no server "${server}".${advice}`);
}
