// The response of an embeddings endpoint, validated: at a wrong address, any server may answer with anything.
import { readUpTo } from '@tidings/live/internal';
import { parsedJson } from '@tidings/live/portable';
import { z } from 'zod';
import type { Vector } from './vector.ts';

/** Numbers of one vector, and characters of one number. */
const longestVector = 65_536;
const longestNumber = 32;

const answerSchema = z.object({
  data: z.array(
    z.object({ index: z.int().min(0).optional(), embedding: z.array(z.number()).min(1).max(longestVector) }),
  ),
});

/** The limit of a response: the size of vectors for this many texts. */
export async function readAnswer(response: Response, texts: number): Promise<string> {
  const most = 100_000 + texts * longestVector * longestNumber;
  return String(await readUpTo(response.body, most));
}

/** One vector per text; undefined if the response has any other form. */
export function vectorsIn(answer: string, texts: number): Vector[] | undefined {
  const data = answerSchema.safeParse(parsedJson(answer)).data?.data;
  if (data?.length !== texts) return undefined;
  const vectors: Vector[] = [];
  for (const [order, { index = order, embedding }] of data.entries()) vectors[index] = Float32Array.from(embedding);
  const length = vectors[0]?.length;
  const isRight = (vector: Vector | undefined) => vector?.length === length && hasDirection(vector);
  return vectors.length === texts && Array.from(vectors).every(isRight) ? vectors : undefined;
}

/** A vector of zeros, or with invalid numbers, cannot be compared. */
function hasDirection(vector: Vector | undefined): boolean {
  const length = vector?.reduce((sum, number) => sum + number * number, 0) ?? 0;
  return Number.isFinite(length) && length > 0;
}
