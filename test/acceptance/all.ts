// All tables of requirements, by system. A new table is added here.
import type { AcceptanceRow } from './acceptance-row.ts';
import { obsRows } from './obs.ts';
import { schedulesRows } from './schedules.ts';
import { trackingRows } from './tracking.ts';
import { vconMovingRows } from './vcon-moving.ts';
import { vconRows } from './vcon.ts';

export const acceptanceTables: Readonly<Record<string, readonly AcceptanceRow[]>> = {
  obs: obsRows,
  schedules: schedulesRows,
  tracking: trackingRows,
  vcon: [...vconRows, ...vconMovingRows],
};
