// All vCons as JSONL, the newest first: page by page, each document as it was given.
import { type Caller, LiveError } from '@tidings/live';
import { type RedactionSettings, redactionFor } from '../redactions.ts';
import type { Library } from '../source/library.ts';
import { listPositionOf } from '../source/list-position.ts';
import type { VconReader } from '../source/vcon-reader.ts';

/** With a redaction, signed and encrypted vCons are left out: they cannot be redacted. */
export interface ExportOptions extends RedactionSettings {
  /** Ends the export after the current document. */
  signal?: AbortSignal;
  onProgress?(this: void, progress: ExportResult): void;
}

export interface ExportResult {
  documents: number;
  /** Number of vCons left out because they cannot be redacted. */
  withheld: number;
}

const pageSize = 500;

/** `write` is called with one line at a time, and awaited. */
export async function exportVcons(
  library: Library,
  write: (line: string) => void | Promise<void>,
  { signal, onProgress, ...redactions }: ExportOptions = {},
): Promise<ExportResult> {
  const reader = library.reader(redactionFor(redactions)(exporter), Number.POSITIVE_INFINITY);
  const result: ExportResult = { documents: 0, withheld: 0 };
  for await (const uuid of uuidsIn(reader)) {
    if (signal?.aborted) break;
    const text = await reader.document(uuid).catch((error: unknown) => {
      const code = error instanceof LiveError ? error.code : undefined;
      if (code === 'PERMISSION_DENIED') result.withheld += 1;
      // The vCon was deleted after its page was read.
      else if (code !== 'RESOURCE_NOT_FOUND') throw error;
    });
    if (text === undefined) continue;
    await write(`${text}\n`);
    result.documents += 1;
    onProgress?.({ ...result });
  }
  return result;
}

/** An export has no caller with a redaction of its own. */
const exporter: Caller = { era: 'modern', transport: 'memory' };

async function* uuidsIn(reader: VconReader): AsyncIterable<string> {
  let page = await reader.page(pageSize);
  for (;;) {
    for (const entry of page.entries) {
      const { uuid }: { uuid: string } = JSON.parse(entry);
      yield uuid;
    }
    if (page.nextCursor === null) return;
    page = await reader.page(pageSize, listPositionOf(page.nextCursor));
  }
}
