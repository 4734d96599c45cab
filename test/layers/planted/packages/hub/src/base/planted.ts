// Has to be reported: Layer rule: base/ is stage 0 of the hub and imports only earlier stages.
export { recordCommand } from '../audit/record-command.ts';
