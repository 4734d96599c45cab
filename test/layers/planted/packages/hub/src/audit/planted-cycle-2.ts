// The other half of the cycle in planted-cycle.ts.
import type { First } from './planted-cycle.ts';

export interface Second {
  first: First;
}
