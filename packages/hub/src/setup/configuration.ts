// Loads the hub's configuration from the first of: the file given; on a database, the configuration stored there for
// all nodes; the file found; the built-in servers.
import { systemCode } from '@tidings/live/portable';
import { homedir } from 'node:os';
import { type Clock, LiveError } from '@tidings/live';
import { type Config, type ConfigWatcher, fileStamp, findConfig, loadConfig, parseConfig } from '@tidings/track';
import { type ConfigTable, powersOf, withConfigTable } from '@tidings/track/internal';
import { isDatabase, shownPlace } from '../base/data-place.ts';
import { Failure } from '../terminal/failure.ts';
import type { ConfigEditor } from '../http/route/config-editor.ts';
import { type ConfigurationSource, ConfigurationSources, type EditListener } from './configuration-sources.ts';
import { assertTrusted, inShort } from './trusted-commands.ts';

interface ConfigurationSettings {
  config?: string | undefined;
  /** A data folder or a postgres:// URL. */
  data: string;
  trust?: boolean | undefined;
  /** Used if there is neither a file nor a stored configuration. */
  otherwise: Config;
}

export interface Configuration {
  config: Config;
  /** Its file, or the database; undefined: the built-in servers. */
  source: string | undefined;
  /** The consent that the user has just given, such as "start commands". */
  agreed: string | undefined;
  watch(this: void, clock: Clock, listener: EditListener, table: ConfigTable | undefined): ConfigWatcher;
  /** For edits by the hub itself; undefined if no file is in force. `changed` applies them. */
  editor(this: void, clock: Clock, changed: EditListener['changed']): ConfigEditor | undefined;
}

export async function configuration(settings: ConfigurationSettings): Promise<Configuration> {
  const { config: named, data, trust = false } = settings;
  const own = ownSource(settings);
  // A node that was given a file uses that one.
  const isShared = named === undefined && isDatabase(data);
  const sourceOf = (text: string | undefined) => (text === undefined ? own : storedSource(text, data, trust));
  const stored = isShared ? await withConfigTable(data, (table) => table.read()) : undefined;
  const source = sourceOf(stored);
  const config = loaded(source);
  const { name, isGiven, isStored } = source;
  const powers = powersOf(config);
  const wasAsked = name !== undefined && (await assertTrusted({ source: name, powers, isGiven, isStored }));
  const sources = new ConfigurationSources({ own, sourceOf, isShared, stored });
  return {
    config,
    source: name,
    agreed: wasAsked ? inShort(powers) : undefined,
    watch: (clock, listener, table) => sources.watch(clock, listener, table),
    editor: (clock, changed) => sources.editor(clock, changed),
  };
}

function ownSource({ config: named, trust = false, otherwise }: ConfigurationSettings): ConfigurationSource {
  const { env, platform } = process;
  const found = findConfig({ named, workingFolder: process.cwd(), home: homedir(), platform, env });
  if (found === undefined) return { name: undefined, isGiven: true, isStored: false, load: () => otherwise };
  const { file, wasNamed } = found;
  const stamp = fileStamp(file);
  return { name: file, isGiven: wasNamed || trust, isStored: false, stamp, load: () => loadConfig({ file, env }) };
}

/**
 * A stored configuration needs the same consent as a file that was found: access to the database is neither the right
 * to start programs on this machine, nor to read the environment of this process.
 */
function storedSource(text: string, data: string, trust: boolean): ConfigurationSource {
  const name = shownPlace(data);
  const load = () => parseConfig(text, { file: name, env: process.env });
  return { name, isGiven: trust, isStored: true, load };
}

function loaded({ name, load }: ConfigurationSource): Config {
  try {
    return load();
  } catch (error) {
    if (error instanceof LiveError) throw new Failure(error.message);
    const code = systemCode(error);
    if (code !== undefined) {
      throw new Failure(`${name} cannot be read (${code}). Check the path given with --config.`);
    }
    throw error;
  }
}
