// Has to be reported: Layer rule: owner/ is stage 1 of gateway/ and imports only earlier stages.
export { Relay } from '../relay/relay.ts';
