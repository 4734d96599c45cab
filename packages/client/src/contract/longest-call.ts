/** How long the hub and its page wait for a tool or a prompt, which may work for long. */
export const longestCallMs = 10 * 60_000;
