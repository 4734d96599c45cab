// Uses real time on purpose: `npm run check` has to report it.
export const startedAt = Date.now();
