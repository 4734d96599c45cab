// Has to be reported: Layer rule: stream/ is stage 2 of the client and imports only earlier stages.
export { agentLine } from '../tell/agent-line.ts';
