// An error in one line, with its root cause.
import { ProtocolError, SdkError } from '@modelcontextprotocol/client';
import { LiveError } from '@tidings/live';
import { parsedJson, shortLine, systemCode } from '@tidings/live/portable';
import { z } from 'zod';
import { causes } from '../../base/causes.ts';
import type { Conceal } from './concealer.ts';

/** Some servers answer with an HTML page. */
const longest = 300;

/** `conceal` gets the whole text: in one line, or cut, it would not find every secret. */
export function describeError(error: unknown, conceal: Conceal = (text) => text): string {
  return error instanceof Error ? shortLine(conceal(wordsFor(error)), longest) : conceal(String(error));
}

function wordsFor(error: Error): string {
  // Causes in between only say that something failed.
  const root = causes(error).at(-1) ?? error;
  const why = root === error ? '' : ` (${wordsOf(root)})`;
  if ('status' in error && typeof error.status === 'number') {
    return [`HTTP ${error.status}`, `${responseText(error.message)}${why}`].filter(Boolean).join(': ');
  }
  return why && saysFetchFailed.test(error.message) ? `No connection${why}` : `${error.message}${why}`;
}

/** Messages of fetch, and of the SDK when the first request to a server failed. */
const saysFetchFailed = /^(Version negotiation probe failed: )?fetch failed$/;
const errorResponse = z.object({ error: z.object({ message: z.string() }) });

/** The message of an error response in JSON; any other response as it is. */
function responseText(message: string): string {
  const text = message.replace(/^Error POSTing to endpoint: /, '');
  return errorResponse.safeParse(parsedJson(text)).data?.error.message ?? text;
}

/** An error after several tried addresses has a code and no message. */
function wordsOf(error: Error): string {
  return error.message || (systemCode(error) ?? error.name);
}

/** Whether the server did not answer at all. An error response is an answer, and a timeout may be a slow server. */
export function isOutage(error: unknown): boolean {
  // A LiveError describes an answer that arrived and was rejected.
  if (error instanceof ProtocolError || error instanceof LiveError) return false;
  return !(error instanceof SdkError) || !stillThere.has(error.code);
}

const stillThere: ReadonlySet<string> = new Set([
  'REQUEST_TIMEOUT',
  'CAPABILITY_NOT_SUPPORTED',
  'INVALID_RESULT',
  'UNSUPPORTED_RESULT_TYPE',
  'LIST_PAGINATION_EXCEEDED',
  'METHOD_NOT_SUPPORTED_BY_PROTOCOL_VERSION',
]);
