// Has to be reported: import(no-cycle)
import type { Beta } from './planted-cycle-2.ts';

export interface Alpha {
  beta: Beta;
}
