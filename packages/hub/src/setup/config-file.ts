// The configuration file as the hub's routes edit it: one edit at a time, checked, written with a backup, and applied.
import { type Clock, LiveError } from '@tidings/live';
import { splitMark, systemCode } from '@tidings/live/portable';
import { Serial } from '@tidings/live/time';
import { type Config, parseConfig } from '@tidings/track';
import type { AddedServer } from '@tidings/client/contract';
import type { ConfigEditor } from '../http/route/config-editor.ts';
import { ChangedMeanwhile, contentOf, replaceFile } from '../base/replace-file.ts';
import { withEnabled, withServer, withoutServer } from './edited-config.ts';

interface ConfigFileDeps {
  file: string;
  env: Readonly<Record<string, string | undefined>>;
  clock: Clock;
  /** Throws if the file, as it is, would start commands that the user has not agreed to. */
  assertAgreed(this: void, present: Config): void;
  /** Applies an edit that was written; rejects if it cannot be applied. */
  apply(this: void, edited: Config, before: Config): Promise<void>;
}

export class ConfigFile implements ConfigEditor {
  readonly #deps: ConfigFileDeps;
  readonly #edits = new Serial();

  constructor(deps: ConfigFileDeps) {
    this.#deps = deps;
  }

  get file(): string {
    return this.#deps.file;
  }

  add({ id, url, description, trackResources }: AddedServer): Promise<void> {
    return this.#edit((text) => withServer(text, { id, url, ...(description && { description }), trackResources }));
  }

  remove(id: string): Promise<void> {
    return this.#edit((text) => withoutServer(text, id));
  }

  setEnabled(id: string, isEnabled: boolean): Promise<void> {
    return this.#edit((text) => withEnabled(text, id, isEnabled));
  }

  #edit(change: (text: string) => string): Promise<void> {
    return this.#edits.run(() => this.#write(change));
  }

  async #write(change: (text: string) => string): Promise<void> {
    const { file, env, clock, assertAgreed, apply } = this.#deps;
    const before = await contentOf(file);
    if (before === undefined) throw new LiveError('UNAVAILABLE', `${file} is gone: restore it first.`);
    // Reports problems of the file before it is edited.
    const present = parseConfig(before, { file, env });
    assertAgreed(present);
    const { mark, bare } = splitMark(before);
    const after = mark + change(bare);
    if (after === before) return;
    const config = parseConfig(after, { file, env });
    try {
      await replaceFile(file, before, after, new Date(clock.date()));
    } catch (error) {
      if (error instanceof ChangedMeanwhile) {
        throw new LiveError('UNAVAILABLE', `${file} was edited at the same moment: try again.`);
      }
      const reason = systemCode(error) ?? 'unknown';
      throw new LiveError('UNAVAILABLE', `${file} cannot be written (${reason}).`);
    }
    await apply(config, present);
  }
}
