import { describe } from 'vitest';
import { areCaught } from './broken-sources.ts';
import { hubSabotages } from './hub.ts';

describe('a hub', () => areCaught(hubSabotages));
