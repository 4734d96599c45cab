// A definition that can be removed.

/** Something defined that can be removed. */
export interface Registration {
  remove(): void;
}
