// Imports vCons and prints the result.
import {
  type ImportProblem,
  type ImportResult,
  type ImportSource,
  importVcons,
  openLibrary,
  supabaseSource,
} from '@tidings/vcon';
import { LiveError } from '@tidings/live';
import { systemClock } from '@tidings/live/time';
import { counted, messageOf, visibleText } from '@tidings/live/portable';
import type { AuditEntry } from '../audit/audit-log.ts';
import { printError, printLine, printJson } from '../terminal/print-line.ts';
import { Failure } from '../terminal/failure.ts';
import { recordCommand } from '../audit/record-command.ts';
import { ProgressLine } from './progress-line.ts';
import { stopOnSignal } from '../terminal/stop-on-signal.ts';

export interface ImportSettings {
  data: string;
  strict?: boolean;
  replace?: boolean;
  json?: boolean;
  /** The PostgreSQL database of a vcon-mcp. */
  fromSupabase?: string;
  /** Another vCon MCP server. */
  fromMcp?: string;
}

/** How many problems and kinds of warnings are printed. */
const mostProblems = 100;
const mostWarnings = 10;

export async function importFiles(files: readonly string[], settings: ImportSettings): Promise<void> {
  const { data, strict = false, replace = false, json = false } = settings;
  const sources = [...files.map(sourceOf), ...(await remoteSources(settings))];
  if (sources.length === 0) throw new Failure('Give files or folders, --from-supabase or --from-mcp.', 2);
  const signal = stopOnSignal();
  const start = systemClock.now();
  const library = await openLibrary(data, { keysFile: process.env['TIDINGS_VCON_KEYS'] || undefined });
  try {
    const line = new ProgressLine();
    let shown = 0;
    const result = await importVcons(library, sources, {
      strict,
      replace,
      signal,
      listProblems: mostProblems,
      onProgress: (progress) => line.show(progress),
      // Printed at once: an import that continues after a killed one does not report these problems again.
      onProblem: (problem) => {
        shown += 1;
        if (!json && shown <= mostProblems) line.print(visibleText(written(problem)));
      },
    });
    line.hide();
    await recordCommand(data, { method: 'import', ...outcomeOf(result), detail: detailOf(sources, result) });
    const seconds = (systemClock.now() - start) / 1000;
    if (json) printJson({ ...summaryOf(result), seconds: Number(seconds.toFixed(3)) });
    else print(result, seconds, shown);
    assertImported(result);
  } finally {
    await library.close();
  }
}

function outcomeOf({ outcome, counts: { conflicts, bad } }: ImportResult): Pick<AuditEntry, 'outcome' | 'code'> {
  if (outcome !== 'complete') return { outcome: 'error', code: outcome.toUpperCase() };
  return conflicts + bad === 0 ? { outcome: 'ok' } : { outcome: 'error', code: 'PARTLY' };
}

function detailOf(sources: readonly ImportSource[], { counts }: ImportResult): string {
  return `${sources.length} ${sources.length === 1 ? 'source' : 'sources'}: ${counts.created} created, ${counts.replaced} replaced`;
}

function sourceOf(file: string): ImportSource {
  return file === '-' ? { name: 'stdin', stream: process.stdin } : file;
}

async function remoteSources({ fromSupabase, fromMcp }: ImportSettings): Promise<ImportSource[]> {
  try {
    // Loaded only where it is needed: the MCP client takes a while.
    const mcp = fromMcp === undefined ? undefined : (await import('./mcp-source.ts')).mcpSource;
    return [
      ...(fromSupabase === undefined ? [] : [supabaseSource(fromSupabase)]),
      ...(fromMcp === undefined || mcp === undefined
        ? []
        : [mcp(fromMcp, process.env['TIDINGS_IMPORT_TOKEN'] || undefined)]),
    ];
  } catch (error) {
    throw error instanceof LiveError ? new Failure(error.message, 2) : error;
  }
}

function written(problem: ImportProblem): string {
  return `${placeOf(problem)}: ${problem.reason}`;
}

function placeOf({ source, line }: ImportProblem): string {
  return line === undefined ? source : `${source}:${line}`;
}

function summaryOf({ failure, ...result }: ImportResult) {
  return failure === undefined ? result : { ...result, failure: messageOf(failure) };
}

/** The result goes to stdout, problems and warnings go to stderr. */
function print({ counts, warnings, resumed }: ImportResult, seconds: number, problems: number): void {
  if (problems > mostProblems) printError(`… and ${problems - mostProblems} more problems`);
  for (const { kind, documents, first } of warnings.slice(0, mostWarnings)) {
    printError(`warning: ${kind} (${counted(documents, 'vCon')}, first in ${placeOf(first)})`);
  }
  if (warnings.length > mostWarnings) printError(`… and ${warnings.length - mostWarnings} more kinds of warnings`);
  for (const { source, line } of resumed)
    printLine(`${source}: continued after ${unitOf(source)} ${line}, where an earlier import stopped`);
  const { created, unchanged, replaced, conflicts, bad } = counts;
  const parts = [
    `${created} created`,
    ...(replaced > 0 ? [`${replaced} replaced`] : []),
    ...(unchanged > 0 ? [`${unchanged} already there`] : []),
    ...(conflicts > 0 ? [`${conflicts} exist with other content (--replace replaces them)`] : []),
    ...(bad > 0 ? [`${bad} bad`] : []),
  ];
  const documents = created + unchanged + replaced + conflicts + bad;
  printLine(`${counted(documents, 'vCon')} in ${seconds.toFixed(1)} s: ${parts.join(', ')}`);
}

function unitOf(source: string): string {
  return /^\w+:\/\//.test(source) ? 'vCon' : 'line';
}

/** Throws unless everything was imported. */
function assertImported({ outcome, counts, failure }: ImportResult): void {
  const { created, unchanged, replaced, conflicts, bad } = counts;
  const isKept = created + unchanged + replaced > 0;
  const advice = isKept ? ' What was imported is kept; run the same command again to continue.' : '';
  if (outcome === 'failed') throw isExpected(failure) ? new Failure(`${messageOf(failure)}${advice}`) : failure;
  if (outcome === 'stopped') throw new Failure(`Stopped.${advice}`);
  const left = conflicts + bad;
  if (left > 0) throw new Failure(`${counted(left, 'vCon')} ${left === 1 ? 'was' : 'were'} not imported.`);
}

function isExpected(failure: unknown): boolean {
  return failure instanceof Error && 'code' in failure;
}
