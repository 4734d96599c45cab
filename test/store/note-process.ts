// Starts note-child.js, collects its reports, and ends it.
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { eventually } from '@tidings/live/testing';
import { z } from 'zod';

export const program = fileURLToPath(new URL('note-child.js', import.meta.url));
/** Starting a process can take seconds on a busy machine. */
const patienceMs = 30_000;

const lineSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('opening') }),
  z.object({ kind: z.literal('ready'), at: z.number() }),
  z.object({ kind: z.literal('refused'), code: z.string(), message: z.string() }),
  z.object({ kind: z.literal('written'), id: z.string(), begunAt: z.number(), at: z.number() }),
  z.object({ kind: z.literal('failed'), id: z.string(), code: z.string().optional(), message: z.string() }),
  z.object({ kind: z.literal('seen'), topics: z.array(z.string()), at: z.number() }),
  z.object({ kind: z.literal('gap') }),
  z.object({ kind: z.literal('log'), message: z.string() }),
  z.object({ kind: z.literal('done') }),
]);
type Line = z.infer<typeof lineSchema>;
type Kind = Line['kind'];
type LineOf<K extends Kind> = Extract<Line, { kind: K }>;

interface NoteProcessOptions {
  /** How many writes to make; by default none, so it only follows. */
  writes?: number;
  /** Runs it as another user. */
  user?: { uid?: number; gid?: number };
}

export class NoteProcess {
  readonly #child: ChildProcess;
  readonly #lines: Line[] = [];
  readonly #exited: Promise<number | null>;
  #stderr = '';

  constructor(place: string, { writes = 0, user }: NoteProcessOptions = {}) {
    const child = spawn(process.execPath, [program, place, String(writes)], { ...user });
    this.#child = child;
    child.stderr.setEncoding('utf8').on('data', (text: string) => (this.#stderr += text));
    createInterface(child.stdout).on('line', (line) => this.#lines.push(lineSchema.parse(JSON.parse(line))));
    // `close` comes after the last line.
    this.#exited = new Promise((resolve) => child.once('close', resolve));
  }

  of<K extends Kind>(kind: K): LineOf<K>[] {
    return this.#lines.filter((line): line is LineOf<K> => line.kind === kind);
  }

  /** The topics that it was notified of, with repetitions. */
  get seen(): string[] {
    return this.of('seen').flatMap(({ topics }) => topics);
  }

  get written(): string[] {
    return this.of('written').map(({ id }) => id);
  }

  async reports(kind: Kind, times = 1): Promise<void> {
    await this.eventually(`${times} × ${kind}`, () => this.of(kind).length >= times);
  }

  async sees(ids: Iterable<string>): Promise<void> {
    await this.eventually('every change', () => {
      const seen = new Set(this.seen);
      return [...ids].every((id) => seen.has(id));
    });
  }

  /** Fails early, with its stderr, if the process has ended. */
  async eventually(what: string, check: () => boolean): Promise<void> {
    const condition = () => check() || (this.#child.exitCode !== null && new Error(`It ended: ${this.#stderr}`));
    const result = await eventually(what, condition, patienceMs);
    if (result instanceof Error && !check()) throw result;
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#exited;
  }

  /** Lets it close its store and end by itself. */
  async stop(): Promise<void> {
    this.#child.stdin?.end();
    const code = await this.#exited;
    if (code !== 0) throw new Error(`It ended with ${code}: ${this.#stderr}`);
  }

  /** The reported error, if opening failed. */
  async refusal(): Promise<LineOf<'refused'>> {
    await this.#exited;
    const [refusal] = this.of('refused');
    if (!refusal) throw new Error(`It did not refuse: ${this.#stderr}`);
    return refusal;
  }
}
