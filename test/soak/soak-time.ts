// For how long a soak runs, as `npm run soak -- --minutes` has it.
import { z } from 'zod';

export const soakSeconds =
  z.coerce
    .number()
    .positive()
    .parse(process.env['TIDINGS_SOAK_MINUTES'] ?? 1) * 60;
/** Beside that, time to connect everybody and to let everything arrive. */
export const soakTimeoutMs = (soakSeconds + 900) * 1000;
