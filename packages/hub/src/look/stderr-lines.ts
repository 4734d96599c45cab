// The last lines that each started server wrote on stderr, taken from the tracker's log: shown when the server fails.
import type { TrackerLog } from '@tidings/track';
import { stripVTControlCharacters } from 'node:util';
import { shortLine } from '@tidings/live/portable';
import { z } from 'zod';

const maxLines = 20;
const written = z.object({ server: z.string(), stderr: z.string(), pid: z.number().optional() });

export class StderrLines implements TrackerLog {
  readonly #written = new Map<string, { pid: number | undefined; lines: string[] }>();

  /** The lines of the process that wrote last: one that was started later may have written nothing. */
  of(server: string): readonly string[] {
    return this.#written.get(server)?.lines ?? [];
  }

  info(fields: object): void {
    const { data } = written.safeParse(fields);
    if (data === undefined || data.stderr.trim() === '') return;
    const { server, stderr, pid } = data;
    const before = this.#written.get(server);
    const lines = before?.pid === pid ? (before?.lines ?? []) : [];
    this.#written.set(server, { pid, lines: [...lines, stderr].slice(-maxLines) });
  }

  warn(): void {}

  error(): void {}
}

/** Whether a reason has all these lines already. It is one line, without the colours and tabs of the output. */
export function hasStderr(reason: string, lines: readonly string[]): boolean {
  return lines.every((line) => reason.includes(shortLine(stripVTControlCharacters(line), line.length)));
}

/** The lines as the end of a message; empty if the server wrote nothing. */
export function wroteOnStderr(lines: readonly string[]): string {
  return lines.length === 0 ? '' : `\nIt wrote on stderr:\n${lines.map((line) => `  ${line}`).join('\n')}`;
}
