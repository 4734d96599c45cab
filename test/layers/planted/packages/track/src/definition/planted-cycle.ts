// A violation on purpose: these two files import each other. scripts/check.js fails when the rule misses it.
import type { Beta } from './planted-cycle-2.ts';

export interface Alpha {
  beta: Beta;
}
