// The ports of the audit log: `AuditLog` records who did what, from where, with which outcome; `AuditTrail` reads it
// back. Records are kept in a file of the data folder or in a table of PostgreSQL.
import { parsedJson } from '@tidings/live/portable';
import { z } from 'zod';
import { uriMatcher } from './same-uri.ts';

const recordSchema = z.object({
  /** ISO 8601 with milliseconds. */
  time: z.string(),
  /**
   * The name of a token; `ISSUER#SUB` for the owner of an access token; `everybody` on a hub without tokens; `cli:USER`
   * for a command; `-` if unknown.
   */
  who: z.string(),
  address: z.string().optional(),
  /** The client's own name: `name/version`. */
  client: z.string().optional(),
  /** A method of MCP, `GET /api/servers`, `login`, `configuration`, `trust`, `import` … */
  method: z.string(),
  /** The server of `/mcp/{id}`, or the one that a decision is about. */
  server: z.string().optional(),
  /** The name of a tool or prompt. */
  name: z.string().optional(),
  uri: z.string().optional(),
  /** The first URIs of a listen request. */
  uris: z.array(z.string()).optional(),
  outcome: z.enum(['ok', 'error', 'refused']),
  code: z.string().optional(),
  ms: z.number().optional(),
  /** How many requests this record stands for, if there were too many to record each. */
  count: z.number().optional(),
  detail: z.string().optional(),
  /** The arguments, if the configuration enables them. */
  arguments: z.unknown().optional(),
});

export type AuditRecord = z.infer<typeof recordSchema>;
/** A record without its time, which the log adds. */
export type AuditEntry = Omit<AuditRecord, 'time'>;

export interface AuditLog {
  /** Returns at once and never throws; the record is written later. */
  record(entry: AuditEntry): void;
  /** Resolves when all records were written, or could not be. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

export interface AuditQuery {
  since?: Date | undefined;
  /** A name; that of an owner of access tokens is about all grants. */
  who?: string | undefined;
  /** A URI, in any spelling, or a pattern. */
  uri?: string | undefined;
  /** How many of the newest records. */
  limit: number;
}

export interface AuditTrail {
  /** Oldest first. */
  read(query: AuditQuery): Promise<AuditRecord[]>;
  close(): Promise<void>;
}

/** Undefined for a line that was cut off by a crash or a full disk. */
export function parseRecord(line: string): AuditRecord | undefined {
  return recordSchema.safeParse(parsedJson(line)).data;
}

/** How the names begin under which the owner of access tokens has several grants: `ISSUER#SUB (grants.1)`. */
export function startOfGrants(who: string): string {
  return `${who} (grants.`;
}

/** Whether a record matches the query. */
export function auditFilter({ since, who, uri }: AuditQuery): (record: AuditRecord) => boolean {
  const isWanted = uri === undefined ? undefined : uriMatcher(uri);
  const isAbout = (record: AuditRecord) =>
    isWanted === undefined || (record.uri !== undefined && isWanted(record.uri)) || (record.uris ?? []).some(isWanted);
  return (record) =>
    (since === undefined || Date.parse(record.time) >= since.getTime()) &&
    (who === undefined || record.who === who || record.who.startsWith(startOfGrants(who))) &&
    isAbout(record);
}

/** Sorts in place; records of the same time stay in the order of writing. */
export function byTime(records: AuditRecord[]): AuditRecord[] {
  return records.sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0));
}
