// The hub's own tools on `/mcp`, which all callers have.

export const ownTools: ReadonlySet<string> = new Set(['list_changes', 'wait_for_change']);
