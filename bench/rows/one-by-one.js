// Options of a server under measurement: no coalescing window, so that every change is delivered on its
// own, and no keep-alives meanwhile.

export const oneByOne = { windowMs: 0, keepAliveMs: 600_000 };
