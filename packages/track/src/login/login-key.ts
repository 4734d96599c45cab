// The key under which a login is stored: the address of the server. An entry that is edited to lead elsewhere, or
// another entry with the same id, never gets a token of the old address.

export function loginKey(url: string): string {
  const key = new URL(url);
  key.username = '';
  key.password = '';
  key.hash = '';
  return key.href;
}
