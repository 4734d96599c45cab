// A server that needs input of its user answers a request with questions. The request is then repeated with the
// answers.
import * as z from 'zod/mini';

const inputRequired = z.object({
  resultType: z.literal('input_required'),
  inputRequests: z.optional(
    z.record(z.string(), z.object({ method: z.string(), params: z.optional(z.looseObject({})) })),
  ),
  requestState: z.optional(z.string()),
});
const elicitation = z.looseObject({
  message: z.string(),
  requestedSchema: z.optional(z.unknown()),
  url: z.optional(z.string()),
});

export interface Question {
  key: string;
  message: string;
  /** The schema of the form. */
  schema: unknown;
  /** A page to visit instead of a form. */
  url: string | undefined;
}

/** The user's decision; `content` has the values of the form. */
interface QuestionAnswer {
  action: 'accept' | 'decline';
  content?: Record<string, unknown>;
}

export type Answers = Readonly<Record<string, QuestionAnswer>>;

interface AskedRound {
  questions: readonly Question[];
  /** The server's state, for the next request. */
  requestState: string | undefined;
}

/** The questions in a result; undefined if the result is complete. Throws if this page cannot answer them. */
export function questionsIn(result: unknown): AskedRound | undefined {
  const { data } = inputRequired.safeParse(result);
  if (data === undefined) return undefined;
  const questions = Object.entries(data.inputRequests ?? {}).map(([key, { method, params }]) => {
    if (method !== 'elicitation/create')
      throw new Error(`The server asks for ${method}, which this page cannot answer.`);
    const { message, requestedSchema: schema, url } = elicitation.parse(params);
    return { key, message, schema, url };
  });
  return { questions, requestState: data.requestState };
}
