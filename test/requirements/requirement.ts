// What users can rely on, as data: requirements.test.ts fails for a row that no test proves.
export interface Requirement {
  id: string;
  text: string;
  /** A section of the specification, a promise of ARCHITECTURE.md, or a file of this project with one of its headings. */
  source: string;
  /** The promise of ARCHITECTURE.md it stands for. Each promise needs a sabotage too. */
  promise?: number;
}

/** A requirement that named tests prove, rather than a scenario in every cell. */
export interface TestedRequirement extends Requirement {
  tests: readonly NamedTest[];
}

export interface NamedTest {
  /** From the root of the project. */
  file: string;
  title: string;
}
