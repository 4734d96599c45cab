// The duration of a soak, from `npm run soak -- --minutes`.
import { z } from 'zod';

export const soakSeconds =
  z.coerce
    .number()
    .positive()
    .parse(process.env['TIDINGS_SOAK_MINUTES'] ?? 1) * 60;
/** Additional time to connect all clients and to receive all notifications. */
export const soakTimeoutMs = (soakSeconds + 900) * 1000;
