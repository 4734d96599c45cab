// Converts rows of the event table into journal entries.
import { trackerEvent } from '@tidings/client/contract';
import { z } from 'zod';
import type { JournalEntry } from './journal.ts';

const rowSchema = z.object({ cursor: z.string(), json: z.string() });

const positionSchema = z.object({ position: z.coerce.number() });

/** 0 if there is none. PostgreSQL's bigint arrives as text. */
export function positionOf(row: unknown): number {
  return row === undefined ? 0 : positionSchema.parse(row).position;
}

/** A newer version may have written events of unknown types. */
export function readEvent(row: unknown): JournalEntry[] {
  const { cursor, json } = rowSchema.parse(row);
  const event = trackerEvent.safeParse(JSON.parse(json));
  return event.success ? [{ cursor, json, event: event.data }] : [];
}
