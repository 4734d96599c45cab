/** How long the hub and its page wait for a tool or a prompt, which may work for minutes. */
export const longestCallMs = 10 * 60_000;

/** How long a call of `wait_for_change` may wait. */
export const longestWaitMs = 24 * 60 * 60_000;
