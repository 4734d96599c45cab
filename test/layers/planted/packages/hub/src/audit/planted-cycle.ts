// Has to be reported: import(no-cycle)
import type { Second } from './planted-cycle-2.ts';

export interface First {
  second: Second;
}
