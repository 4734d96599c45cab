import { expect, it } from 'vitest';
import { z } from 'zod';
import { answerForError } from './answer.ts';

it.each([
  [{ limit: 0 }, 'limit: must be at least 1'],
  [{}, '"limit" is missing'],
  ['text', 'request: must be an object'],
])('says plainly what is wrong with a request: %j', (request, message) => {
  const { error } = z.object({ limit: z.number().min(1) }).safeParse(request);
  const log = { warn: () => undefined, error: () => undefined };
  expect(answerForError(error, log)).toEqual({ status: 400, body: { error: { code: 'INVALID_PARAMS', message } } });
});
