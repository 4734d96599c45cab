// The check of routes that show everything, or change something for all callers.
import { LiveError } from '@tidings/live';
import type { Permissions } from '../../access/permissions.ts';

export function assertWhole({ isWhole }: Permissions): void {
  if (isWhole) return;
  throw new LiveError('PERMISSION_DENIED', 'Your token is limited; this needs an unlimited one.');
}

export function assertOperator({ isOperator }: Permissions): void {
  if (isOperator) return;
  const message =
    'A server here has a login for each user, so only the operator of the hub (TIDINGS_TOKEN) may do this.';
  throw new LiveError('PERMISSION_DENIED', message);
}
