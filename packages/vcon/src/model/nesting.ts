// The nesting limit of JSON: code that walks documents must not exhaust the stack, and SQLite reads at most a thousand
// levels.
export const mostLevels = 500;
