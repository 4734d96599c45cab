// The error of a request that was in progress when the server was closed.
import { LiveError } from '../../base/error.ts';

export class Interrupted extends LiveError {
  constructor() {
    super('UNAVAILABLE', 'This server is shutting down.');
  }
}
