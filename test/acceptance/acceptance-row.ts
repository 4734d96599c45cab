// A requirement of users of another system who move to Tidings, with the test that proves it.
export interface AcceptanceRow {
  id: string;
  /** The document with the requirement, and the section there. */
  source: string;
  /** The requirement in this project's words. */
  requirement: string;
  /** `differs`: met in another way; docs/moving-over.md contains the `reason` word for word. */
  state: 'works' | 'differs';
  /** The file, relative to the project's root, and the title of the test. */
  shownBy: { file: string; test: string };
  reason?: string;
}

/** Requirements that one test proves, by id. */
interface Shown extends Pick<AcceptanceRow, 'state' | 'shownBy' | 'reason'> {
  requirements: Readonly<Record<string, string>>;
}

export function works(file: string, test: string, requirements: Shown['requirements']): Shown {
  return { state: 'works', shownBy: { file, test }, requirements };
}

export function differs(file: string, test: string, reason: string, requirements: Shown['requirements']): Shown {
  return { state: 'differs', shownBy: { file, test }, reason, requirements };
}

/** The rows of a document by section. Ids begin with the name of the system. */
export function rowsOf(
  system: string,
  document: string,
  sections: Readonly<Record<string, readonly Shown[]>>,
): AcceptanceRow[] {
  return Object.entries(sections).flatMap(([section, tests]) =>
    tests.flatMap(({ requirements, ...shown }) =>
      Object.entries(requirements).map(([id, requirement]) =>
        Object.assign({ id: `${system}-${id}`, source: `${document}: ${section}`, requirement }, shown),
      ),
    ),
  );
}
