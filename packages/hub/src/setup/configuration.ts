// The configuration of the hub: from a file that was named or found, or all that is built in.
import { homedir } from 'node:os';
import { type Clock, LiveError } from '@tidings/live';
import { type Config, type ConfigWatcher, commandsOf, findConfig, loadConfig, watchConfig } from '@tidings/track';
import { Failure } from '../terminal/failure.ts';
import { assertTrusted, isTrusted } from './trusted-commands.ts';

export interface ConfigurationSettings {
  config?: string | undefined;
  trust?: boolean | undefined;
  /** What holds where there is no file. */
  otherwise: Config;
}

export interface Configuration {
  config: Config;
  file: string | undefined;
  /** Somebody was asked whether its commands may be started, and agreed just now. */
  wasAgreed: boolean;
  /** Tells of valid edits, and of others why they are not in force. */
  watch(this: void, clock: Clock, changed: Changed, rejected: (reason: string) => void): ConfigWatcher;
}

/** Puts an edit in force; rejects where that cannot be. */
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
        else rejected(`${file} would start other commands now. End the hub and start it again to agree to them.`);
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
