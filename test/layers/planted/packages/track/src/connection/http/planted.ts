// Has to be reported: Layer rule: http/ is stage 4 of connection/ and imports only earlier stages.
export { ServerProcess } from '../process/server-process.ts';
