// Turns texts into vectors, through an endpoint that speaks the embeddings API of OpenAI. The key goes into one
// header and nowhere else: not into errors, not into logs.
import { type Clock, LiveError, systemClock } from '@tidings/live';
import { NoAnswer, boundedRequest, isHeaderToken } from '@tidings/live/internal';
import { webAddress } from '@tidings/live/portable';
import { embedFailureOf, silence, unreadable, unreachable } from './embed-failure.ts';
import { readAnswer, vectorsIn } from './embeddings-answer.ts';
import type { Vector } from './vector.ts';

export interface Embedder {
  readonly model: string;
  /** One vector for each text, all of one length. */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<Vector[]>;
}

interface EmbedderOptions {
  /** Such as https://api.openai.com/v1. */
  url: string;
  model?: string | undefined;
  key?: string | undefined;
  fetch?: typeof globalThis.fetch;
  clock?: Clock;
  timeoutMs?: number;
}

const defaultModel = 'text-embedding-3-small';

export function httpEmbedder(options: EmbedderOptions): Embedder {
  const { model = defaultModel, key, fetch, clock = systemClock, timeoutMs = 20_000 } = options;
  const url = endpointOf(options.url);
  const headers = { 'content-type': 'application/json', ...(key !== undefined && authorization(key)) };

  return {
    model,
    async embed(texts, signal) {
      if (texts.length === 0) return [];
      const request = { method: 'POST', headers, body: JSON.stringify({ model, input: texts }) };
      const bounds = { fetch, clock, withinMs: timeoutMs, signal };
      const read = async (response: Response) => ({ response, answer: await readAnswer(response, texts.length) });
      const { response, answer } = await boundedRequest(url, request, bounds, read).catch((error: unknown) => {
        throw error instanceof NoAnswer ? silence(url.host, timeoutMs) : unreachable(url.host, error);
      });
      if (!response.ok) throw embedFailureOf(url.host, response, answer, clock);
      return vectorsIn(answer, texts.length) ?? fail(url.host);
    },
  };
}

function fail(host: string): never {
  throw unreadable(host);
}

function endpointOf(text: string): URL {
  const url = webAddress(text, (fault) => new LiveError('INVALID_PARAMS', addressProblems[fault]));
  const path = url.pathname.replace(/\/+$/, '');
  url.pathname = path.endsWith('/embeddings') ? path : `${path}/embeddings`;
  return url;
}

const addressProblems = {
  form: 'TIDINGS_EMBED_URL must be an http or https URL, such as http://127.0.0.1:8080/v1.',
  credentials: 'TIDINGS_EMBED_URL may not hold a password: use TIDINGS_EMBED_KEY.',
};

function authorization(key: string): { authorization: string } {
  if (!isHeaderToken(key)) {
    throw new LiveError('INVALID_PARAMS', 'TIDINGS_EMBED_KEY may hold only visible ASCII characters.');
  }
  return { authorization: `Bearer ${key}` };
}
