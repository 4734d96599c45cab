// Takes the place of pipenet, which mcp-proxy imports for its option --tunnel only: it needs Node 22, and brings 20
// further packages.
export function pipenet() {
  throw new Error('The benchmark opens no tunnels: bench/hub/no-tunnels takes the place of pipenet.');
}
