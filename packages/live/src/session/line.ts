// The outgoing half of a duplex connection, for notifications that are encoded already; the sink writes only if there
// is room.

export interface Line {
  readonly ready: boolean;
  /** `lines` is ASCII, one message per line. */
  write(lines: string): void;
  onReady(resume: () => void): void;
}
