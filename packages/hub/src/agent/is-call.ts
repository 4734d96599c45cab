/** Whether the address is that of a call that is going on. */
export function isCall(url: string): boolean {
  return new URL(url).searchParams.has('call_id');
}
