// Errors of the embeddings endpoint, as messages, and whether it makes sense to try again.
import { type Clock, LiveError } from '@tidings/live';
import { networkCause, retryAfterMs } from '@tidings/live/internal';
import { parsedJson, startOf } from '@tidings/live/portable';
import { z } from 'zod';

export class EmbedFailure extends LiveError {
  /** The endpoint is unavailable or busy: the same request may succeed later. */
  readonly isTemporary: boolean;
  /** The model refuses these texts; it may accept others. */
  readonly isRefusal: boolean;
  readonly retryAfterMs: number;
  readonly problem: string;

  constructor(problem: string, kind: { isTemporary?: boolean; isRefusal?: boolean; retryAfterMs?: number } = {}) {
    super('UNAVAILABLE', `Search by meaning is not possible now: ${problem}`);
    this.problem = problem;
    this.isTemporary = kind.isTemporary ?? false;
    this.isRefusal = kind.isRefusal ?? false;
    this.retryAfterMs = kind.retryAfterMs ?? 0;
  }
}

const laterStatuses = new Set([408, 425, 429]);
/** Some fail with 500 on a text that is too long. */
const refusals = new Set([400, 413, 422, 500]);

export function embedFailureOf(host: string, response: Response, answer: string, clock: Clock): EmbedFailure {
  const { status } = response;
  const isTemporary = status >= 500 || laterStatuses.has(status);
  const said = explanationIn(answer);
  return new EmbedFailure(`${host} answered ${status}${said && ` (${said})`}. ${adviceFor(status)}`, {
    isTemporary,
    isRefusal: refusals.has(status),
    retryAfterMs: isTemporary ? (retryAfterMs(response, clock) ?? 0) : 0,
  });
}

function adviceFor(status: number): string {
  if (status === 401 || status === 403) return 'Check TIDINGS_EMBED_KEY.';
  if (status === 404 || status === 405) return 'Check TIDINGS_EMBED_URL and TIDINGS_EMBED_MODEL.';
  if (status >= 300 && status < 400) return 'It has moved: correct TIDINGS_EMBED_URL.';
  if (refusals.has(status) && status < 500) return 'Check TIDINGS_EMBED_MODEL, or give a shorter text.';
  return 'Try again later.';
}

export function silence(host: string, timeoutMs: number): EmbedFailure {
  return new EmbedFailure(`${host} did not answer within ${timeoutMs / 1000} s. Try again later.`);
}

export function unreachable(host: string, error: unknown): EmbedFailure {
  const code = networkCause(error) ?? 'network error';
  return new EmbedFailure(`${host} cannot be reached (${code}). Check that it runs, and TIDINGS_EMBED_URL.`, {
    isTemporary: true,
  });
}

export function unreadable(host: string): EmbedFailure {
  const problem = `what ${host} answered are no embeddings. Check TIDINGS_EMBED_URL and TIDINGS_EMBED_MODEL.`;
  return new EmbedFailure(problem);
}

export function otherLength(model: string, expected: number, length: number): EmbedFailure {
  const problem = `the model ${model} now answers with ${length} numbers for a text, and those kept have ${expected}.`;
  return new EmbedFailure(`${problem} Check TIDINGS_EMBED_URL, or give another TIDINGS_EMBED_MODEL.`);
}

export function notSetUp(): LiveError {
  return new LiveError(
    'UNAVAILABLE',
    'Search by meaning is not set up: set TIDINGS_EMBED_URL to an OpenAI-compatible embeddings endpoint. search_vcons_content finds words without it.',
  );
}

const explanationSchema = z.object({
  error: z.union([z.string(), z.object({ message: z.string() }).transform(({ message }) => message)]),
});

/** What the endpoint says was wrong. It may quote the key it was given. */
function explanationIn(answer: string): string {
  const error = explanationSchema.safeParse(parsedJson(answer)).data?.error ?? '';
  return /key|token|bearer/i.test(error) ? '' : startOf(error, 200);
}
