export type { CronRequest, Delivery, OneOff, OneOffRequest, Schedule, TopicContent } from './model/schedule.ts';
export type { SchedulesSettings } from './open-schedules.ts';
export { openSchedules } from './open-schedules.ts';
export type { SchedulesServerOptions } from './schedules-server.ts';
export { schedulesServer } from './schedules-server.ts';
export type { Push, ScheduleBackend } from './source/backend.ts';
