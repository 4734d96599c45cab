// Whether a value is a promise, also one of a library's own class: database clients return such, and clients of remote
// procedures return functions with `then`.

export function isPromiseLike(value: unknown): value is PromiseLike<unknown> {
  const isObject = (typeof value === 'object' && value !== null) || typeof value === 'function';
  return isObject && 'then' in value && typeof value.then === 'function';
}
