// The message an agent session gets. Alone in its file, for pages that load nothing else of the tracker.

export interface UpdateOf {
  resourceUri: string;
  serverId: string;
  /** ISO 8601. */
  timestamp: string;
}

export function updateMessage({ resourceUri, serverId, timestamp }: UpdateOf): string {
  return `Resource ${resourceUri} updated for MCP server ${serverId} at ${timestamp}`;
}
