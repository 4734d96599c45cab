// How often a resource has changed, and when. A change is identified by its number, which grows.

export interface CountedChanges {
  readonly changes: number;
  /** The numbers of the first and the last change; 0 without changes. */
  readonly firstChange: number;
  readonly lastChange: number;
}
