// Loads the hub's configuration: from the file given or found, otherwise the built-in servers.
import { homedir } from 'node:os';
import { type Clock, LiveError } from '@tidings/live';
import { type Config, type ConfigWatcher, commandsOf, findConfig, loadConfig, watchConfig } from '@tidings/track';
import { Failure } from '../terminal/failure.ts';
import { assertTrusted, isTrusted } from './trusted-commands.ts';

export interface ConfigurationSettings {
  config?: string | undefined;
  trust?: boolean | undefined;
  /** Used where there is no file. */
  otherwise: Config;
}

export interface Configuration {
  config: Config;
  file: string | undefined;
  /** The user was asked whether its commands may be started, and agreed. */
  wasAgreed: boolean;
  /** Calls `changed` for valid edits, and `rejected` with the reason for others. */
  watch(this: void, clock: Clock, changed: Changed, rejected: (reason: string) => void): ConfigWatcher;
}

/** Applies an edit; rejects if it cannot be applied. */
type Changed = (config: Config) => Promise<void>;

export async function configuration({
  config: named,
  trust = false,
  otherwise,
}: ConfigurationSettings): Promise<Configuration> {
  const { env, platform } = process;
  const found = findConfig({ named, workingFolder: process.cwd(), home: homedir(), platform, env });
  if (found === undefined) {
    return { config: otherwise, file: undefined, wasAgreed: false, watch: () => ({ close: () => undefined }) };
  }
  const { file, wasNamed } = found;
  const isGiven = wasNamed || trust;
  const config = load(file);
  const wasAgreed = await assertTrusted({ file, config, isGiven });
  return {
    config,
    wasAgreed,
    file,
    watch: (clock, changed, rejected) => {
      const refuse = (error: unknown) => rejected(error instanceof Error ? error.message : String(error));
      const take = (edited: Config) => {
        const commands = commandsOf(edited);
        if (isGiven || commands === '' || isTrusted(file, commands)) changed(edited).catch(refuse);
        else rejected(`${file} would now start other commands. Restart the hub to confirm them.`);
      };
      return watchConfig({ file, env }, { changed: take, rejected: refuse }, clock);
    },
  };
}

function load(file: string): Config {
  try {
    return loadConfig({ file, env: process.env });
  } catch (error) {
    if (error instanceof LiveError) throw new Failure(error.message);
    if (error instanceof Error && 'code' in error) {
      throw new Failure(`${file} cannot be read (${String(error.code)}). Check the path given with --config.`);
    }
    throw error;
  }
}
