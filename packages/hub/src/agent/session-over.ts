/** Thrown by a port whose session ended for good, such as a finished call: no reconnection is tried. */
export class SessionOver extends Error {}
