/** How long a 2025-era caller may take for an answer. It has a request open meanwhile; the SDK gives it as long. */
export const legacyPatienceMs = 10 * 60_000;
