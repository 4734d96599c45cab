// One requirement of a system whose users move over, with the test that shows it.
export interface AcceptanceRow {
  id: string;
  /** The document it comes from and the section there. */
  source: string;
  /** In our own words. */
  requirement: string;
  /** `differs`: it is met in another way; docs/moving-over.md has the `reason`, word for word. */
  state: 'works' | 'differs';
  /** The file from the root of the project, the test as it is named there. */
  shownBy: { file: string; test: string };
  reason?: string;
}

/** Requirements that one test shows, by their ids. */
interface Shown extends Pick<AcceptanceRow, 'state' | 'shownBy' | 'reason'> {
  requirements: Readonly<Record<string, string>>;
}

export function works(file: string, test: string, requirements: Shown['requirements']): Shown {
  return { state: 'works', shownBy: { file, test }, requirements };
}

export function differs(file: string, test: string, reason: string, requirements: Shown['requirements']): Shown {
  return { state: 'differs', shownBy: { file, test }, reason, requirements };
}

/** The rows of a document by its sections. Ids begin with the name of the system. */
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
