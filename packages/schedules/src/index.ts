export type { CronRequest, Delivery, OneOff, OneOffRequest, Schedule, TopicContent } from './model/schedule.ts';
export type { Push, ScheduleBackend } from './source/backend.ts';
