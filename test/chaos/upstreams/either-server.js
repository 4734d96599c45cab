// A server on one of the official SDKs, as named in the file `FILE.sdk` when it starts:
// `either-server.js FILE stdio` or `either-server.js FILE http PORT`.
import { readFileSync } from 'node:fs';

const sdk = readFileSync(`${process.argv[2]}.sdk`, 'utf8');
await import(sdk === 'sdk1' ? './sdk1-server.js' : './sdk2-server.js');
