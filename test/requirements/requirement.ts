// The promises to users as data: requirements.test.ts fails for a row without a proof.
export interface Requirement {
  id: string;
  text: string;
  /**
   * A section of the specification, a promise of ARCHITECTURE.md, a file of this project with one of its headings, or a
   * user story of the text that the tracker was built from (`resource tracking story 1` to `3`).
   */
  source: string;
  /** The promise of ARCHITECTURE.md that the row belongs to. Each promise needs a sabotage too. */
  promise?: number;
}

/** A requirement that named tests prove, not a scenario in every cell. */
export interface TestedRequirement extends Requirement {
  tests: readonly NamedTest[];
}

export interface NamedTest {
  /** From the root of the project. */
  file: string;
  title: string;
}
