/** What a port throws when its session is over for good, such as a call that has ended: it is not opened again. */
export class SessionOver extends Error {}
