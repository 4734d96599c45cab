import { describe } from 'vitest';
import { areCaught } from './broken-sources.ts';
import { obsSabotages, schedulesSabotages, vconSabotages } from './servers.ts';

describe('a schedules server', () => areCaught(schedulesSabotages));
describe('a vCon server', () => areCaught(vconSabotages));
describe('an OBS server', () => areCaught(obsSabotages));
