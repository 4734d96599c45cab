/** How long the hub and its page wait for a tool or a prompt, which may work for minutes. */
export const longestCallMs = 10 * 60_000;
