import { describe } from 'vitest';
import { areCaught } from './broken-sources.ts';
import { trackerSabotages } from './tracker.ts';

describe('a tracker', () => areCaught(trackerSabotages));
