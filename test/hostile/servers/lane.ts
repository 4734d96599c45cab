// One process that is attacked by several groups of servers in turn, so that leaks add up.
import { eventually } from '@tidings/live/testing';
import type { ServerEntry } from '@tidings/track';
import { NotesUpstream } from '../../hub/notes-upstream.ts';
import { Attacked, type Memory } from '../support/attacked.ts';
import { Bystander, prepare } from './bystander.ts';

interface Parts {
  notes: NotesUpstream;
  attacked: Attacked;
  bystander: Bystander;
  /** Measured at the beginning. */
  before: Memory;
}

export class Lane implements AsyncDisposable {
  readonly #parts: Parts;

  private constructor(parts: Parts) {
    this.#parts = parts;
  }

  static async start(kind: Attacked['kind']): Promise<Lane> {
    const notes = await NotesUpstream.start('modern');
    prepare(notes);
    const attacked = await Attacked.start(kind, { servers: [notes.entry('good')] });
    await eventually('the good server', async () => (await attacked.servers())[0]?.state === 'live', 20_000);
    const bystander = await Bystander.start(notes, attacked);
    await bystander.isServed();
    return new Lane({ notes, attacked, bystander, before: await attacked.memory() });
  }

  get attacked(): Attacked {
    return this.#parts.attacked;
  }

  get bystander(): Bystander {
    return this.#parts.bystander;
  }

  get before(): Memory {
    return this.#parts.before;
  }

  get good(): ServerEntry {
    return this.#parts.notes.entry('good');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { notes, attacked, bystander } = this.#parts;
    await bystander[Symbol.asyncDispose]().catch(() => undefined);
    await attacked[Symbol.asyncDispose]();
    await notes[Symbol.asyncDispose]();
  }
}
