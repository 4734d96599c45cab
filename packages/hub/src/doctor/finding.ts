// The result of one check.

export interface Finding {
  /** `note`: nothing is broken, but a feature may be missing. */
  verdict: 'fine' | 'note' | 'wrong';
  subject: string;
  detail: string;
  /** What the user should do. */
  advice?: string;
}
