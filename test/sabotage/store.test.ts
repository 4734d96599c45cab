import { describe } from 'vitest';
import { areCaught } from './broken-sources.ts';
import { storeSabotages } from './store.ts';

describe('a store', () => areCaught(storeSabotages));
