// Has to be reported: Layer rule: portable/ of the kit needs no Node.
export { readFileSync } from 'node:fs';
