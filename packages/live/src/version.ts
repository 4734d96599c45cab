// The version of all packages, which are released together: what servers and clients say of themselves.
export const version = '0.1.0';
