// The tasks of servers, in either era.
import type { CallToolResult } from '@modelcontextprotocol/client';
import { taskMetaKey } from '@tidings/track/internal';
import { z } from 'zod';

const status = z.enum(['working', 'input_required', 'completed', 'cancelled', 'failed']);
const common = { taskId: z.string().min(1).max(1024), status, statusMessage: z.string().optional() };

/** A task of 2026-07-28, with its result, its error or its questions. */
export const modernTaskSchema = z.looseObject({
  ...common,
  pollIntervalMs: z.number().optional(),
  inputRequests: z.record(z.string(), z.unknown()).optional(),
  result: z.unknown().optional(),
  error: z.object({ code: z.number(), message: z.string(), data: z.unknown().optional() }).optional(),
});
export type ModernTask = z.infer<typeof modernTaskSchema>;

/** A task of 2025-11-25, whose result needs a request of its own. */
export const legacyTaskSchema = z.looseObject({
  ...common,
  pollInterval: z.number().optional(),
  /** Null if the task is kept for ever. */
  ttl: z.number().nullish(),
});
export type LegacyTask = z.infer<typeof legacyTaskSchema>;

/** The answer to a call that asks for a task; some servers answer with the result itself. */
export const legacyAnswerSchema = z.looseObject({ task: legacyTaskSchema.optional() });

/** The task that a modern server returned for a call. */
export function taskIn({ _meta }: CallToolResult): ModernTask | undefined {
  return modernTaskSchema.safeParse(_meta?.[taskMetaKey]).data;
}

const [shortestPauseMs, longestPauseMs, usualPauseMs] = [100, 30_000, 1000];

/** The pause before the server is polled again. */
export function pauseFor(wishedMs: number | undefined): number {
  if (wishedMs === undefined || !Number.isFinite(wishedMs)) return usualPauseMs;
  return Math.min(longestPauseMs, Math.max(shortestPauseMs, wishedMs));
}
