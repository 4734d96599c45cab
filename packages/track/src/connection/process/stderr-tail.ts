// The last lines on stderr of one server's processes, which often contain the reason of a failure.
import { stripVTControlCharacters } from 'node:util';
import type { Clock } from '@tidings/live';
import { startOf } from '@tidings/live/portable';

/** One line that a server wrote on stderr. */
export interface StderrLine {
  /** ISO 8601. */
  readonly time: string;
  readonly pid: number | undefined;
  readonly text: string;
}

const mostLines = 200;
const longestLine = 1000;
/** How many lines are searched for a reason: stack traces and banners may follow it. */
const searched = 40;
const longestReason = 300;
/** `TypeError: x`, `Error [CODE]: x`, `error: x`, `thread 'main' panicked at …`, `ModuleNotFoundError: …` */
const errorLine =
  /^\s*(uncaught\s+)?([\w.]*(error|exception)\b(\s*\[[^\]]*\])?|fatal|panic|npm err!|thread '.*' panicked\b.*)\s*:?/i;
const noise =
  /^\s*(at\s.+|node\.js v\d[\d.]*|\^+|\.{3}.*|\{|\}|\)|traceback.*|file ".*", line \d+.*|npm notice.*)\s*$/i;

export class StderrTail {
  readonly #clock: Clock;
  readonly #lines: StderrLine[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get lines(): readonly StderrLine[] {
    return this.#lines;
  }

  add(text: string, pid: number | undefined): void {
    if (text.trim() === '') return;
    this.#lines.push({ time: new Date(this.#clock.date()).toISOString(), pid, text: startOf(text, longestLine) });
    if (this.#lines.length > mostLines) this.#lines.shift();
  }

  /** The line that most likely tells why a process ended; undefined if it wrote none. */
  reasonOf(pid: number | undefined): string | undefined {
    const written = this.#lines
      .filter((line) => line.pid === pid)
      .map(({ text }) => stripVTControlCharacters(text).trim());
    const last = written.slice(-searched);
    // The last error, because an earlier one may have been handled.
    const reason =
      last.findLast((text) => errorLine.test(text)) ?? last.findLast((text) => !noise.test(text)) ?? last.at(-1);
    return reason === undefined ? undefined : startOf(reason, longestReason);
  }
}
