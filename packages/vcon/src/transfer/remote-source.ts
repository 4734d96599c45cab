// vCons that come from another server, page by page. An import keeps the cursor of the last page that it has
// written, and goes on after it.

export interface RemoteSource {
  /** As reports, and the place that is kept, name it: without passwords. */
  readonly name: string;
  /** The number of vCons, if known. */
  count(): Promise<number | undefined>;
  /** The pages after the one with this cursor. What cannot be read now is thrown as a LiveError. */
  pages(after: string | undefined): AsyncIterable<RemotePage>;
}

export interface RemotePage {
  readonly documents: readonly RemoteDocument[];
  readonly cursor: string;
}

/** A document, or why there is none. */
export type RemoteDocument = { value: unknown; bytes: number } | { problem: string };
