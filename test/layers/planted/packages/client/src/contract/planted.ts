// Has to be reported: Layer rule: contract/ of the client needs no Node.
export { once } from 'node:events';
