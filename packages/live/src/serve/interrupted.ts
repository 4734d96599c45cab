// Why a request is not answered any more that was being answered when the server was closed.
import { LiveError } from '../error.ts';

export class Interrupted extends LiveError {
  constructor() {
    super('UNAVAILABLE', 'This server is shutting down.');
  }
}
