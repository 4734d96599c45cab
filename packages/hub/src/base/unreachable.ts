// What to do where a hub or a server cannot be reached.

export function noHub(origin: string, why: string, instead: string): string {
  return `No hub answers at ${origin} (${why}). Start one with "tidings up" (in a checkout: "npm start"), or ${instead}.`;
}

/** Whether this code of a failed connection is one of TLS: something answers, but not securely. */
export function isOfTls(code: string): boolean {
  return /^(ERR_SSL|ERR_TLS|UNABLE_|\w*CERT)/.test(code);
}

export function noSecureConnection(name: string, code: string): string {
  return `There is no secure connection to ${name} (${code}). Check whether its address begins with http or https, and its certificate: NODE_EXTRA_CA_CERTS names a file with further authorities.`;
}
