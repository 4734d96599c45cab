// Has to be reported: Layer rule: port/ is stage 1 of agent/ and imports only earlier stages.
export { Announcements } from '../message/announcement.ts';
