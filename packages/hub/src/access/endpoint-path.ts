// The paths of MCP endpoints: `/mcp`, and `/mcp/{id}` of each server.
const pattern = /^\/mcp(?:\/[a-z0-9][a-z0-9-]{0,31})?$/;

/** The path of the endpoint of one server, or of all. */
export function endpointPath(id?: string): string {
  return id === undefined ? '/mcp' : `/mcp/${id}`;
}

/** True also for an id that no server has. */
export function isEndpointPath(path: string): boolean {
  return pattern.test(path);
}
