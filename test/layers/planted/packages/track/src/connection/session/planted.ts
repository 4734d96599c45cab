// Has to be reported: Layer rule: session/ is stage 3 of connection/ and imports only earlier stages.
export { sessionOpener } from '../open/open-session.ts';
