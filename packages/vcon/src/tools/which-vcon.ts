// The argument that names a vCon. Some callers call it uuid and some vcon_uuid: both are accepted.
import { LiveError } from '@tidings/live';
import { z } from 'zod';
import { known } from '../resources/conversation-base.ts';

export const whichVcon = {
  vcon_uuid: z.string().optional().describe('UUID of the vCon.'),
  uuid: z.string().optional().describe('The same as vcon_uuid: give one of the two.'),
};

export function uuidIn({ uuid, vcon_uuid }: { uuid?: unknown; vcon_uuid?: unknown }): string {
  const [first, second = first] = [uuid, vcon_uuid].filter((each) => each !== undefined && each !== null);
  if (typeof first !== 'string' || typeof second !== 'string') {
    throw new LiveError('INVALID_PARAMS', 'Which vCon? Give its UUID as vcon_uuid.');
  }
  const key = known(first);
  if (key !== known(second)) {
    throw new LiveError('INVALID_PARAMS', 'uuid and vcon_uuid name two vCons. Give one of the two.');
  }
  return key;
}
