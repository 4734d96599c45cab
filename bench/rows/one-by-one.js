// Options of a server under measurement: no coalescing window, so that every change is delivered separately, and no
// keep-alives.

export const oneByOne = { windowMs: 0, keepAliveMs: 600_000 };
