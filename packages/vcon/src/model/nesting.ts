// How deep JSON may be nested: what is walked and stored here must not exhaust the stack, and SQLite reads
// no more than a thousand levels.
export const mostLevels = 500;
