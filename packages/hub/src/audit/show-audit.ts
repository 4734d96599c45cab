// Prints the audit log.
import { stderrLog, systemClock } from '@tidings/live';
import { assertExists } from '../terminal/existing-place.ts';
import type { AuditRecord } from './audit-log.ts';
import { openAuditTrail } from './open-audit.ts';
import { onReaderGone, print } from '../terminal/print.ts';
import { jsonText } from '../terminal/print-line.ts';
import { screenOf } from '../terminal/screen.ts';
import { formatTable } from '../terminal/format-table.ts';

export interface AuditSettings {
  data: string;
  since?: Date;
  who?: string;
  uri?: string;
  limit: number;
  json?: boolean;
}

const headings = ['TIME', 'WHO', 'ADDRESS', 'METHOD', 'ABOUT', 'OUTCOME', 'MS', 'CLIENT'];

export async function showAudit({ data, json, ...query }: AuditSettings): Promise<void> {
  onReaderGone(() => undefined);
  assertExists(data);
  const trail = await openAuditTrail({ place: data, clock: systemClock, log: stderrLog });
  try {
    const records = await trail.read(query);
    if (json) for (const record of records) await print(`${jsonText(record)}\n`);
    else if (records.length === 0) await print('Nothing is recorded there that matches.\n');
    else await print(`${formatTable(headings, records.map(rowOf), screenOf(process.stdout, process.env))}\n`);
  } finally {
    await trail.close();
  }
}

function rowOf(record: AuditRecord): string[] {
  const { time, who, address = '', method, outcome, code, ms, client = '' } = record;
  return [
    time,
    who,
    address,
    method,
    aboutOf(record),
    code === undefined ? outcome : `${outcome} ${code}`,
    ms === undefined ? '' : String(ms),
    client,
  ];
}

function aboutOf({ server, name, uri, uris, count, detail }: AuditRecord): string {
  const listed =
    uris === undefined ? [] : [uris.slice(0, 3).join(' '), uris.length > 3 ? `… (${count ?? uris.length})` : ''];
  const times = uris === undefined && count !== undefined ? `${count} times` : '';
  return [server && `[${server}]`, name, uri, ...listed, times, detail].filter(Boolean).join(' ');
}
