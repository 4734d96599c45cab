import { describe } from 'vitest';
import { areCaught } from './broken-sources.ts';
import { clientSabotages } from './client.ts';

describe('a client of the hub', () => areCaught(clientSabotages));
