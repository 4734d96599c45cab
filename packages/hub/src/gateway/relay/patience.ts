/** How long a 2025-era caller may take to answer, with its request open meanwhile. The SDK allows the same time. */
export const legacyPatienceMs = 10 * 60_000;
