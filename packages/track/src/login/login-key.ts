// Under which name a login is stored: the address of the server, so that an entry that is edited to lead elsewhere, or
// another entry of the same id, never gets a token of the old address.

export function loginKey(url: string): string {
  const key = new URL(url);
  key.username = '';
  key.password = '';
  key.hash = '';
  return key.href;
}
