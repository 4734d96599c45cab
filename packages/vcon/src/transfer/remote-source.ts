// vCons from another server, page by page. An import stores the cursor of the last page it has written, and continues
// after it.

export interface RemoteSource {
  /** The name in reports and in the stored position, without passwords. */
  readonly name: string;
  /** The number of vCons, if known. */
  count(): Promise<number | undefined>;
  /** The pages after this cursor. A failure to read is thrown as a LiveError. */
  pages(after: string | undefined): AsyncIterable<RemotePage>;
}

export interface RemotePage {
  readonly documents: readonly RemoteDocument[];
  readonly cursor: string;
}

/** A document, or the reason why it could not be read. */
export type RemoteDocument = { value: unknown; bytes: number } | { problem: string };
