// What can follow on the command line.

export interface Candidate {
  value: string;
  summary: string;
}

/** The shell completes file names itself. */
export type Candidates = readonly Candidate[] | 'files';
