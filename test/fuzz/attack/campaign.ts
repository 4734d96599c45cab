// The number of fuzzed cases, and the findings.
//   TIDINGS_FUZZ_RUNS=200000   more cases than the suite's 1000 (10,000 with all proofs)
//   TIDINGS_FUZZ_SEED=…        the cases of this seed (`npm run prove -- --seed` sets it)
//   TIDINGS_FUZZ_CASE=…        only this case
import { isWhole } from '../../support/run/proof-size.ts';
import { testSeed } from '../../support/run/test-seed.ts';

const suiteRuns = isWhole ? 10_000 : 1000;
const shown = 5;
/** After this number of findings the run ends. */
const enough = 20;

export class Campaign {
  readonly seed = testSeed;
  readonly from: number;
  readonly to: number;
  readonly #file: string;
  readonly #findings: string[] = [];

  /** `share` is this file's share of all cases. */
  constructor(file: string, share: number) {
    const { TIDINGS_FUZZ_RUNS: runs, TIDINGS_FUZZ_CASE: only } = process.env;
    this.#file = file;
    this.from = Number(only ?? 0);
    this.to = only === undefined ? Math.ceil(Number(runs ?? suiteRuns) * share) : this.from + 1;
  }

  get size(): number {
    return this.to - this.from;
  }

  /** The numbers of the cases, in batches of this size. */
  *batches(size: number): Generator<number[]> {
    for (let first = this.from; first < this.to && this.#findings.length < enough; first += size) {
      yield Array.from({ length: Math.min(size, this.to - first) }, (_, at) => first + at);
    }
  }

  /** Records a wrong response; the run continues. */
  note(number: number, finding: string): void {
    this.#findings.push(
      `${finding}\nRepeat with: ${this.repeat} TIDINGS_FUZZ_CASE=${number} npx vitest run ${this.#file}\n`,
    );
  }

  get repeat(): string {
    return `TIDINGS_FUZZ_SEED=${this.seed}`;
  }

  conclude(): void {
    const { length } = this.#findings;
    if (length > 0) throw new Error(`${length} wrong answers:\n\n${this.#findings.slice(0, shown).join('\n')}`);
  }
}
