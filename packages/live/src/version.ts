// The version of all packages, which are released together; servers and clients report it.
export const version = '0.1.0';
