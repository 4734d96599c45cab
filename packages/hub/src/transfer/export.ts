// Exports all vCons and prints how many there were.
import { type ExportResult, exportVcons, openLibrary } from '@tidings/vcon';
import { counted, visibleJson } from '@tidings/live/portable';
import { printError, printLine } from '../terminal/print-line.ts';
import { Failure } from '../terminal/failure.ts';
import { assertExists } from '../terminal/existing-place.ts';
import { knownRedaction } from '../setup/known-redaction.ts';
import { FileOutput, type Output, ReaderGone, StreamOutput } from './output.ts';
import { recordCommand } from '../audit/record-command.ts';
import { stopOnSignal } from '../terminal/stop-on-signal.ts';

export interface ExportSettings {
  data: string;
  out?: string;
  redact?: string;
  json?: boolean;
}

export async function exportAll({ data, out, redact: name, json = false }: ExportSettings): Promise<void> {
  const signal = stopOnSignal();
  const redact = await knownRedaction(name);
  assertExists(data);
  const library = await openLibrary(data);
  try {
    const output = out === undefined ? new StreamOutput(process.stdout) : await FileOutput.open(out);
    // Each line is JSON: on a terminal, its control characters are escaped.
    const isShown = out === undefined && process.stdout.isTTY;
    const result = await written(
      output,
      () =>
        exportVcons(library, (line) => output.write(isShown ? visibleJson(line) : line), {
          signal,
          ...(redact !== undefined && { redact }),
        }),
      signal,
    );
    const detail = result ? `${result.documents} vCons` : 'the reader closed the pipe';
    await recordCommand(data, { method: 'export', outcome: 'ok', detail });
    if (result) report(json ? JSON.stringify(result) : wordsFor(result), out);
  } finally {
    await library.close();
  }
}

/** Discards an incomplete export, which could be mistaken for a complete one. */
async function written(
  output: Output,
  write: () => Promise<ExportResult>,
  signal: AbortSignal,
): Promise<ExportResult | undefined> {
  try {
    const result = await write();
    if (signal.aborted) throw new Failure('Stopped before everything was exported.');
    await output.finish();
    return result;
  } catch (error) {
    await output.discard();
    if (error instanceof ReaderGone) return undefined;
    throw error;
  }
}

function wordsFor({ documents, withheld }: ExportResult): string {
  const left = withheld > 0 ? ` ${withheld} signed or encrypted ones cannot be redacted and were left out.` : '';
  return `Exported ${counted(documents, 'vCon')}.${left}`;
}

/** Without --out, stdout has the export itself. */
function report(text: string, out: string | undefined): void {
  if (out === undefined) printError(text);
  else printLine(text);
}
