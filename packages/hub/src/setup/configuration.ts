// Loads the hub's configuration from the first of: the file given; on a database, the configuration stored there for
// all nodes; the file found; the built-in servers.
import { homedir } from 'node:os';
import { type Clock, LiveError } from '@tidings/live';
import { Rerun } from '@tidings/live/time';
import { type Config, type ConfigWatcher, findConfig, loadConfig, parseConfig, watchConfig } from '@tidings/track';
import { type ConfigTable, powersOf, withConfigTable } from '@tidings/track/internal';
import { isDatabase, shownPlace } from '../base/data-place.ts';
import { Failure } from '../terminal/failure.ts';
import type { ConfigEditor } from '../http/config-editor.ts';
import { ConfigFile } from './config-file.ts';
import { assertTrusted, inShort, isTrusted, keepTrust } from './trusted-commands.ts';

export interface ConfigurationSettings {
  config?: string | undefined;
  /** A data folder or a postgres:// URL. */
  data: string;
  trust?: boolean | undefined;
  /** Used where there is neither a file nor a stored one. */
  otherwise: Config;
}

export interface Configuration {
  config: Config;
  /** Its file, or the database; undefined: the built-in servers. */
  source: string | undefined;
  /** What the user agreed to just now: "start commands". */
  agreed: string | undefined;
  watch(this: void, clock: Clock, listener: EditListener, table: ConfigTable | undefined): ConfigWatcher;
  /** For edits by the hub itself; undefined if no file is in force. `changed` applies them. */
  editor(this: void, clock: Clock, changed: EditListener['changed']): ConfigEditor | undefined;
}

interface EditListener {
  /** Applies a valid edit; rejects if it cannot be applied. */
  changed(this: void, config: Config): Promise<void>;
  /** An edit was refused: the last configuration stays in force. */
  rejected(this: void, reason: string): void;
}

/** One source that a configuration can come from. */
interface Source {
  name: string | undefined;
  /** Whether it needs no consent: the user named it, or gave `--trust`. */
  isGiven: boolean;
  isStored: boolean;
  load(this: void): Config;
}

export async function configuration(settings: ConfigurationSettings): Promise<Configuration> {
  const { config: named, data, trust = false } = settings;
  const own = ownSource(settings);
  // A node that was given a file uses that one.
  const isShared = named === undefined && isDatabase(data);
  const sourceOf = (text: string | undefined) => (text === undefined ? own : storedSource(text, data, trust));
  let stored = isShared ? await withConfigTable(data, (table) => table.read()) : undefined;
  const source = sourceOf(stored);
  const config = loaded(source);
  const { name, isGiven, isStored } = source;
  const powers = powersOf(config);
  const wasAsked = name !== undefined && (await assertTrusted({ source: name, powers, isGiven, isStored }));
  return {
    config,
    source: name,
    agreed: wasAsked ? inShort(powers) : undefined,
    watch: (clock, { changed, rejected }, table) => {
      const refuse = (error: unknown) => rejected(error instanceof Error ? error.message : String(error));
      const take = (edited: Config, from: Source) => {
        if (isAgreed(edited, from)) changed(edited).catch(refuse);
        else {
          const what = inShort(powersOf(edited));
          rejected(
            `${from.name} would now ${what}, which was not agreed to. Restart the hub to confirm it, or with --trust.`,
          );
        }
      };
      const looking = new Rerun(async () => {
        const text = await table?.read();
        if (text === stored) return;
        stored = text;
        try {
          take(sourceOf(text).load(), sourceOf(text));
        } catch (error) {
          refuse(error);
        }
      });
      // A failed look is repeated: the feed reports a gap when the database is back.
      const look = () => void looking.request().catch(() => undefined);
      const unfollow = isShared ? table?.follow(look) : undefined;
      if (unfollow) look();
      const listener = {
        changed: (edited: Config) => void (stored === undefined && take(edited, own)),
        rejected: (error: unknown) => void (stored === undefined && refuse(error)),
      };
      const watcher =
        own.name === undefined ? undefined : watchConfig({ file: own.name, env: process.env }, listener, clock);
      return {
        close: () => {
          unfollow?.();
          watcher?.close();
        },
      };
    },
    editor: (clock, changed) => {
      const { name: file } = own;
      if (file === undefined || stored !== undefined) return undefined;
      const assertAgreed = (present: Config) => {
        if (stored !== undefined) {
          throw new LiveError('UNAVAILABLE', 'The configuration is in the database: change it with "tidings config".');
        }
        if (isAgreed(present, own)) return;
        const what = inShort(powersOf(present));
        const message = `${file} would ${what}, which was not confirmed. Restart the hub to confirm it.`;
        throw new LiveError('PERMISSION_DENIED', message);
      };
      const apply = (edited: Config, before: Config) => {
        keepTrust(file, powersOf(before), powersOf(edited));
        return changed(edited);
      };
      return new ConfigFile({ file, env: process.env, clock, assertAgreed, apply });
    },
  };
}

function ownSource({ config: named, trust = false, otherwise }: ConfigurationSettings): Source {
  const { env, platform } = process;
  const found = findConfig({ named, workingFolder: process.cwd(), home: homedir(), platform, env });
  if (found === undefined) return { name: undefined, isGiven: true, isStored: false, load: () => otherwise };
  const { file, wasNamed } = found;
  return { name: file, isGiven: wasNamed || trust, isStored: false, load: () => loadConfig({ file, env }) };
}

/**
 * A stored configuration needs the same consent as a file that was found: access to the database is neither the right
 * to start programs on this machine, nor to read the environment of this process.
 */
function storedSource(text: string, data: string, trust: boolean): Source {
  const name = shownPlace(data);
  const load = () => parseConfig(text, { file: name, env: process.env });
  return { name, isGiven: trust, isStored: true, load };
}

function isAgreed(config: Config, { name, isGiven }: Source): boolean {
  return name === undefined || isGiven || isTrusted(name, powersOf(config));
}

function loaded({ name, load }: Source): Config {
  try {
    return load();
  } catch (error) {
    if (error instanceof LiveError) throw new Failure(error.message);
    if (error instanceof Error && 'code' in error) {
      throw new Failure(`${name} cannot be read (${String(error.code)}). Check the path given with --config.`);
    }
    throw error;
  }
}
