// The name of a 2025-era server's question, if the server gives one: the kit's servers do, in `_meta`.
import { questionMetaKey } from '@tidings/live/internal';
import type { ServerQuestion } from '@tidings/track/internal';

const isName = /^(?!__proto__$)[\w .:/-]{1,100}$/;

/** The name, and the question without it: a modern client gets the name as the key of the question. */
export function namedQuestion(question: ServerQuestion): { name: string | undefined; question: ServerQuestion } {
  const { [questionMetaKey]: given, ...meta } = question.params?._meta ?? {};
  if (given === undefined) return { name: undefined, question };
  const name = typeof given === 'string' && isName.test(given) ? given : undefined;
  return { name, question: withMeta(question, Object.keys(meta).length === 0 ? undefined : meta) };
}

function withMeta(question: ServerQuestion, meta: Record<string, unknown> | undefined): ServerQuestion {
  // One case for each method, because the types of their params differ.
  switch (question.method) {
    case 'elicitation/create': {
      const { _meta: _, ...params } = question.params;
      return { ...question, params: { ...params, ...(meta && { _meta: meta }) } };
    }
    case 'sampling/createMessage': {
      const { _meta: _, ...params } = question.params;
      return { ...question, params: { ...params, ...(meta && { _meta: meta }) } };
    }
    default: {
      const { params: _, ...rest } = question;
      return meta ? { ...rest, params: { _meta: meta } } : rest;
    }
  }
}
