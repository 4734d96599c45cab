// Requests that are safe to send again if an answer may be lost. `resources/unsubscribe` is not: a late copy would end
// a subscription that was made after it.
const repeatable: ReadonlySet<string> = new Set([
  'server/discover',
  'ping',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'resources/subscribe',
  'tools/list',
  'prompts/list',
]);

export function isRepeatable(method: string): boolean {
  return repeatable.has(method);
}
