// Host names and addresses, as an option, a URL or a Host header has them.

/** Whether only programs of this machine reach this host. An IPv6 address may have its brackets. */
export function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d+){3}|::1|\[::1\])$/.test(host);
}

/** The host as URLs and Host headers write it: an IPv6 address is in brackets. */
export function urlHost(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
}
