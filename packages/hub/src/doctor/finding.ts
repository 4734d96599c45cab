// What one check has to say.

export interface Finding {
  /** `note`: nothing is broken, but somebody may miss something. */
  verdict: 'fine' | 'note' | 'wrong';
  subject: string;
  detail: string;
  /** What to do. */
  advice?: string;
}
