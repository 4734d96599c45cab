// The complete request for an updated schedule: QStash accepts only whole schedules.
import { LiveError } from '@tidings/live';
import { checkCron } from '../../model/cron.ts';
import type { CronRequest, Schedule, ScheduleUpdate } from '../../model/schedule.ts';

export function updatedRequest(id: string, topic: string, schedule: Schedule, update: ScheduleUpdate): CronRequest {
  if (update.due !== undefined) {
    throw new LiveError(
      'INVALID_PARAMS',
      `${id} is a recurring schedule: give cron and timezone, not delay, datetime, date or time.`,
    );
  }
  const { cron = schedule.cron_expression, timezone = schedule.timezone } = update;
  const tries = update.tries === undefined ? (schedule.tries ?? null) : update.tries;
  const label = update.label === undefined ? schedule.label : update.label;
  return {
    topic,
    message: update.message ?? schedule.notification_body,
    ...checkCron(cron, timezone),
    ...(label !== null && { label }),
    ...(tries !== null && { tries }),
  };
}
