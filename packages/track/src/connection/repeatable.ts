// Requests that may be answered twice, so that they can be sent again where an answer may not come. Unsubscribing is
// none of them: a copy that arrives late would end a subscription that was made after it.
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
