/** Whether the address is that of a call in progress. */
export function isCall(url: string): boolean {
  return new URL(url).searchParams.has('call_id');
}
