// One route as OpenAPI describes it, and the usual forms of its answers.
import type { z } from 'zod';

export interface DescribedRoute {
  method: 'get' | 'post' | 'patch' | 'delete';
  /** As OpenAPI writes it: `/api/servers/{id}`. */
  path: string;
  summary: string;
  /** Answers requests without a token too. */
  isOpen?: true;
  query?: z.ZodObject;
  headers?: Readonly<Record<string, string>>;
  body?: { type: string; schema: z.core.$ZodType };
  answers: Readonly<Record<number, DescribedAnswer>>;
}

export interface DescribedAnswer {
  description: string;
  /** By media type; of an event stream the schema is that of the JSON in one `data:` line. Empty: no body. */
  content: Readonly<Record<string, z.core.$ZodType>>;
}

export const jsonContent = (schema: z.core.$ZodType) => ({ 'application/json': schema });
export const ok = (description: string, schema: z.core.$ZodType) => ({
  200: { description, content: jsonContent(schema) },
});
export const empty = (description: string): DescribedAnswer => ({ description, content: {} });
export const taken = (schema: z.core.$ZodType) => ({ type: 'application/json', schema });
export const lastEventId = { 'Last-Event-ID': 'The id of the last event received: the stream continues after it.' };
