// The other half of the cycle in planted-cycle.ts.
import type { Alpha } from './planted-cycle.ts';

export interface Beta {
  alpha: Alpha;
}
