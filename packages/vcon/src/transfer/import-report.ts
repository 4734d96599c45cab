// The result of an import: counts, the first problems, and warnings by kind.
import type { WriteOutcome } from '../source/writes.ts';

export interface ImportCounts {
  created: number;
  unchanged: number;
  replaced: number;
  /** Documents whose uuid exists with other content; the stored ones were kept. */
  conflicts: number;
  bad: number;
  /** Counted once per document and kind. */
  warnings: number;
}

export interface ImportProblem {
  source: string;
  /** The line in the file, from 1; undefined if the problem is the file itself. */
  line?: number;
  reason: string;
}

export interface WarningKind {
  kind: string;
  documents: number;
  /** The first occurrence. */
  first: ImportProblem;
}

export interface ImportedLine {
  source: string;
  line: number;
}

/** Field names are unlimited, so kinds of warnings are bounded. */
const mostKinds = 200;
const others = 'others';

export class ImportReport {
  readonly counts: ImportCounts = { created: 0, unchanged: 0, replaced: 0, conflicts: 0, bad: 0, warnings: 0 };
  readonly problems: ImportProblem[] = [];
  readonly #kinds = new Map<string, WarningKind>();
  readonly #mostProblems: number;
  readonly #onProblem: (problem: ImportProblem) => void;

  constructor(mostProblems: number, onProblem: (problem: ImportProblem) => void) {
    this.#mostProblems = mostProblems;
    this.#onProblem = onProblem;
  }

  /** The number of documents that were processed. */
  get documents(): number {
    const { created, unchanged, replaced, conflicts, bad } = this.counts;
    return created + unchanged + replaced + conflicts + bad;
  }

  /** The most frequent first. */
  get warnings(): WarningKind[] {
    return [...this.#kinds.values()].sort((a, b) => b.documents - a.documents);
  }

  bad(problem: ImportProblem): void {
    this.counts.bad += 1;
    this.#problem(problem);
  }

  outcome(outcome: WriteOutcome, uuid: string, where: ImportedLine): void {
    if (outcome !== 'conflict') {
      this.counts[outcome] += 1;
      return;
    }
    this.counts.conflicts += 1;
    this.#problem({ ...where, reason: `there is another vCon with the UUID ${uuid}, which was kept` });
  }

  warned(texts: readonly string[], where: ImportedLine): void {
    this.counts.warnings += texts.length;
    for (const text of texts) {
      const known = kindOf(text);
      const kind = this.#kinds.has(known) || this.#kinds.size < mostKinds ? known : others;
      const entry = this.#kinds.get(kind) ?? { kind, documents: 0, first: { ...where, reason: text } };
      this.#kinds.set(kind, { ...entry, documents: entry.documents + 1 });
    }
  }

  #problem(problem: ImportProblem): void {
    if (this.problems.length < this.#mostProblems) this.problems.push(problem);
    this.#onProblem(problem);
  }
}

/** The same for all indexes and numbers. */
function kindOf(warning: string): string {
  return warning
    .replaceAll(/\[\d+\]/g, '[*]')
    .replace(/ \(\d+ times\)/, '')
    .replace(/^(a number [^:]+): .*/, '$1');
}
