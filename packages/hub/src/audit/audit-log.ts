// Who did what, from where, and how it went. The port: what is recorded goes through `AuditLog`, wherever it is kept
// (a file in the data folder, a table of PostgreSQL); reading it back is an `AuditTrail`.
import { z } from 'zod';
import { uriMatcher } from './same-uri.ts';

const recordSchema = z.object({
  /** ISO 8601 with milliseconds. */
  time: z.string(),
  /** The name of a token, `everybody` on a hub without tokens, `cli:USER` for a command, `-` where it is not known. */
  who: z.string(),
  address: z.string().optional(),
  /** What a client calls itself: `name/version`. */
  client: z.string().optional(),
  /** A method of MCP, `GET /api/servers`, `login`, `configuration`, `trust`, `import` … */
  method: z.string(),
  /** One server alone (`/mcp/{id}`), or the one that something was decided about. */
  server: z.string().optional(),
  /** Of a tool or prompt. */
  name: z.string().optional(),
  uri: z.string().optional(),
  /** Of a listen request: the first of them. */
  uris: z.array(z.string()).optional(),
  outcome: z.enum(['ok', 'error', 'refused']),
  code: z.string().optional(),
  ms: z.number().optional(),
  /** How many such requests this line stands for, where there were too many to write each. */
  count: z.number().optional(),
  detail: z.string().optional(),
  /** Only where the configuration asks for them. */
  arguments: z.unknown().optional(),
});

export type AuditRecord = z.infer<typeof recordSchema>;
/** What is recorded; the log adds when. */
export type AuditEntry = Omit<AuditRecord, 'time'>;

export interface AuditLog {
  /** Returns at once, and never throws: it is written a moment later. */
  record(entry: AuditEntry): void;
  /** Resolves when what was recorded is written, or could not be. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

export interface AuditQuery {
  since?: Date | undefined;
  who?: string | undefined;
  /** A URI, in any spelling, or a pattern. */
  uri?: string | undefined;
  /** The newest so many. */
  limit: number;
}

export interface AuditTrail {
  /** Oldest first. */
  read(query: AuditQuery): Promise<AuditRecord[]>;
  close(): Promise<void>;
}

/** A line that was cut off, by a crash or a full disk, is none. */
export function parseRecord(line: string): AuditRecord | undefined {
  try {
    return recordSchema.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}

/** Whether a record is what the query asks for. */
export function auditFilter({ since, who, uri }: AuditQuery): (record: AuditRecord) => boolean {
  const isWanted = uri === undefined ? undefined : uriMatcher(uri);
  const isAbout = (record: AuditRecord) =>
    isWanted === undefined || (record.uri !== undefined && isWanted(record.uri)) || (record.uris ?? []).some(isWanted);
  return (record) =>
    (since === undefined || Date.parse(record.time) >= since.getTime()) &&
    (who === undefined || record.who === who) &&
    isAbout(record);
}

/** In place. Those of one moment stay in the order they were written in. */
export function byTime(records: AuditRecord[]): AuditRecord[] {
  return records.sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0));
}
