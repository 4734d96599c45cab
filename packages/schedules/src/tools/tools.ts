// The tools of the schedules server. Arguments are checked here, with messages that say what to do, before the backend
// is called.
import type { Clock, LiveServer } from '@tidings/live';
import { toolArguments } from '@tidings/live/internal';
import { z } from 'zod';
import { checkTimezone } from '../model/timezone.ts';
import type { ScheduleBackend } from '../source/backend.ts';
import { structured } from './answer.ts';
import { addDeliveryTools, addPushTool } from './delivery-tools.ts';
import { addManagingTools } from './managing-tools.ts';
import { addSchedulingTools, addUpdateTool } from './scheduling-tools.ts';

export function addTools(server: LiveServer, backend: ScheduleBackend, clock: Clock): void {
  addSchedulingTools(server, backend, clock);
  addUpdateTool(server, backend, clock);
  addManagingTools(server, backend);
  addPushTool(server, backend, clock);
  addDeliveryTools(server, backend);
  server.tool(
    'get_current_time',
    {
      title: 'Current time',
      description: 'The time now, in UTC or in a time zone. Ask before turning "in an hour" into a date.',
      input: toolArguments({ timezone: z.string().optional().describe('Such as "Europe/Oslo". Default: UTC.') }),
      annotations: { readOnlyHint: true },
    },
    ({ timezone = 'UTC' }) => {
      const [now, zone] = [new Date(clock.date()), checkTimezone(timezone)];
      const local = now.toLocaleString('sv-SE', { timeZone: zone, timeZoneName: 'longOffset' });
      return structured({ utc: now.toISOString(), timezone: zone, local });
    },
  );
}
