// The progress of an import, on one line of a terminal that is overwritten. Elsewhere nothing is shown.
import type { Writable } from 'node:stream';
import { systemClock } from '@tidings/live/time';

interface ProgressOutput extends Pick<Writable, 'write'> {
  isTTY?: boolean;
  columns?: number;
}

export interface Progress {
  documents: number;
  bytes: number;
  totalBytes: number | undefined;
  totalDocuments?: number | undefined;
}

const clear = '\r\u{1b}[K';
const barWidth = 24;
/** More frequent updates could not be read. */
const pauseMs = 100;

export class ProgressLine {
  readonly #screen: ProgressOutput;
  readonly #now: () => number;
  readonly #start: number;
  #drawn = Number.NEGATIVE_INFINITY;
  #isShown = false;

  constructor(screen: ProgressOutput = process.stderr, now: () => number = () => systemClock.now()) {
    this.#screen = screen;
    this.#now = now;
    this.#start = now();
  }

  show(progress: Progress): void {
    const now = this.#now();
    if (!this.#screen.isTTY || now - this.#drawn < pauseMs) return;
    this.#drawn = now;
    this.#isShown = true;
    const line = lineOf(progress, (now - this.#start) / 1000);
    this.#screen.write(`${clear}${line.slice(0, (this.#screen.columns || 80) - 1)}`);
  }

  /** Prints a line that stays, above the progress line. */
  print(text: string): void {
    this.hide();
    this.#screen.write(`${text}\n`);
  }

  hide(): void {
    if (this.#isShown) this.#screen.write(clear);
    this.#isShown = false;
    this.#drawn = Number.NEGATIVE_INFINITY;
  }
}

function lineOf({ documents, bytes, totalBytes, totalDocuments }: Progress, seconds: number): string {
  const rate = seconds > 0 ? `, ${Math.round(documents / seconds).toLocaleString('en')}/s` : '';
  const count = `${documents.toLocaleString('en')} vCons${rate}`;
  if (totalDocuments !== undefined) return `${barOf(documents, totalDocuments)}  ${megabytes(bytes)}  ${count}`;
  if (totalBytes === undefined) return `${megabytes(bytes)}  ${count}`;
  return `${barOf(bytes, totalBytes)}  ${megabytes(bytes)} of ${megabytes(totalBytes)}  ${count}`;
}

function barOf(done: number, total: number): string {
  const part = total === 0 ? 1 : Math.min(done / total, 1);
  const bar = '#'.repeat(Math.round(part * barWidth)).padEnd(barWidth, '.');
  return `[${bar}] ${Math.floor(part * 100)}%`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
