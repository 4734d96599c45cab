// Follows edits of the hub's configuration, in its file or in the database, and edits the file. The stored configuration
// is in force while there is one; then the file is neither read nor edited.
import { type Clock, LiveError } from '@tidings/live';
import { messageOf } from '@tidings/live/portable';
import { Rerun } from '@tidings/live/time';
import { type Config, type ConfigWatcher, watchConfig } from '@tidings/track';
import { type ConfigTable, powersOf } from '@tidings/track/internal';
import type { ConfigEditor } from '../http/route/config-editor.ts';
import { ConfigFile } from './config-file.ts';
import { inShort, isTrusted, keepTrust } from './trusted-commands.ts';

/** One source that a configuration can come from. */
export interface ConfigurationSource {
  name: string | undefined;
  /** Whether it needs no consent: the user named it, or gave `--trust`. */
  isGiven: boolean;
  isStored: boolean;
  /** The stamp of its file, from before it was read: later edits are applied. */
  stamp?: string;
  load(this: void): Config;
}

export interface EditListener {
  /** Applies a valid edit; rejects if it cannot be applied. */
  changed(this: void, config: Config): Promise<void>;
  /** An edit was refused: the last configuration stays in force. */
  rejected(this: void, reason: string): void;
}

interface ConfigurationSourcesOptions {
  /** The file, or the built-in servers. */
  own: ConfigurationSource;
  /** The source for a stored text; the own one if nothing is stored. */
  sourceOf(this: void, text: string | undefined): ConfigurationSource;
  /** Whether a stored configuration counts. */
  isShared: boolean;
  /** The stored text at the start. */
  stored: string | undefined;
}

export class ConfigurationSources {
  readonly #own: ConfigurationSource;
  readonly #sourceOf: ConfigurationSourcesOptions['sourceOf'];
  readonly #isShared: boolean;
  #stored: string | undefined;

  constructor({ own, sourceOf, isShared, stored }: ConfigurationSourcesOptions) {
    this.#own = own;
    this.#sourceOf = sourceOf;
    this.#isShared = isShared;
    this.#stored = stored;
  }

  watch(clock: Clock, listener: EditListener, table: ConfigTable | undefined): ConfigWatcher {
    const unfollow = this.#isShared && table ? this.#followTable(table, listener) : undefined;
    const watcher = this.#watchFile(clock, listener);
    return {
      close: () => {
        unfollow?.();
        watcher?.close();
      },
    };
  }

  editor(clock: Clock, changed: EditListener['changed']): ConfigEditor | undefined {
    const { name: file } = this.#own;
    if (file === undefined || this.#stored !== undefined) return undefined;
    const assertAgreed = (present: Config) => this.#assertAgreed(file, present);
    const apply = async (edited: Config, before: Config) => {
      await keepTrust(file, powersOf(before), powersOf(edited));
      return changed(edited);
    };
    return new ConfigFile({ file, env: process.env, clock, assertAgreed, apply });
  }

  #followTable(table: ConfigTable, listener: EditListener): () => void {
    const rereading = new Rerun(async () => {
      const text = await table.read();
      if (text === this.#stored) return;
      this.#stored = text;
      try {
        const source = this.#sourceOf(text);
        take(source.load(), source, listener);
      } catch (error) {
        refuse(error, listener);
      }
    });
    // A failed read is repeated: the feed reports a gap when the database is back.
    const reread = () => void rereading.request().catch(() => undefined);
    const unfollow = table.follow(reread);
    reread();
    return unfollow;
  }

  #watchFile(clock: Clock, listener: EditListener): ConfigWatcher | undefined {
    const { name: file, stamp: since } = this.#own;
    if (file === undefined) return undefined;
    const unlessStored = {
      changed: (edited: Config) => void (this.#stored === undefined && take(edited, this.#own, listener)),
      rejected: (error: unknown) => void (this.#stored === undefined && refuse(error, listener)),
    };
    return watchConfig({ file, env: process.env, since }, unlessStored, clock);
  }

  #assertAgreed(file: string, present: Config): void {
    if (this.#stored !== undefined) {
      throw new LiveError('UNAVAILABLE', 'The configuration is in the database: change it with "tidings config".');
    }
    if (isAgreed(present, this.#own)) return;
    const what = inShort(powersOf(present));
    const message = `${file} would ${what}, which was not confirmed. Restart the hub to confirm it.`;
    throw new LiveError('PERMISSION_DENIED', message);
  }
}

/** Applies an edit, unless it needs a consent that was not given. */
function take(edited: Config, source: ConfigurationSource, listener: EditListener): void {
  if (isAgreed(edited, source)) {
    listener.changed(edited).catch((error: unknown) => refuse(error, listener));
    return;
  }
  const what = inShort(powersOf(edited));
  listener.rejected(
    `${source.name} would now ${what}, which was not agreed to. Restart the hub to confirm it, or with --trust.`,
  );
}

function refuse(error: unknown, { rejected }: EditListener): void {
  rejected(messageOf(error));
}

function isAgreed(config: Config, { name, isGiven }: ConfigurationSource): boolean {
  return name === undefined || isGiven || isTrusted(name, powersOf(config));
}
