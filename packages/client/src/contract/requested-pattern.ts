// A pattern of URIs that comes with a request: its cost grows with its length and its wildcards, so both are limited.
import * as z from 'zod/mini';
import { mostWildcards, wildcardsIn } from './uri-pattern.ts';

const longest = 2048;

export const requestedPattern = z.string().check(
  z.maxLength(longest, `is longer than ${longest} characters`),
  z.refine((pattern) => wildcardsIn(pattern) <= mostWildcards, `has more than ${mostWildcards} wildcards`),
);
