// For how long a soak runs, as `npm run soak -- --minutes` has it.
import { z } from 'zod';

export const soakSeconds =
  z.coerce
    .number()
    .positive()
    .parse(process.env['TIDINGS_SOAK_MINUTES'] ?? 1) * 60;
/** Additional time to connect all clients and to let every notification arrive. */
export const soakTimeoutMs = (soakSeconds + 900) * 1000;
