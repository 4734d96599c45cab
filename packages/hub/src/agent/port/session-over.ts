/** Thrown by a port whose session has ended for good, such as a finished call: it is not reconnected. */
export class SessionOver extends Error {}
