// A tool that verifies the signature of a vCon, with the keys that the operator has configured.
import type { LiveServer } from '@tidings/live';
import { toolArguments } from '@tidings/live/internal';
import { z } from 'zod';
import type { AccessFor } from './access.ts';
import { answer, vconUri } from './answer.ts';
import { uuidIn, whichVcon } from './which-vcon.ts';

export function addSignatureTools(server: LiveServer, accessFor: AccessFor): void {
  server.tool(
    'verify_vcon',
    {
      title: 'Verify a vCon',
      description:
        'Whether a signed vCon is as it was signed, by a key that this server knows ("unknown key" if it knows none ' +
        'that could be it), and whether an encrypted one can be opened.',
      input: toolArguments(whichVcon),
      output: z.object({
        uuid: z.string(),
        form: z.enum(['unsigned', 'signed', 'encrypted']),
        signature: z.enum(['valid', 'invalid', 'unknown key', 'none']),
        readable: z.boolean(),
      }),
      annotations: { readOnlyHint: true },
    },
    async (args, { caller }) => {
      const access = accessFor(caller);
      const uuid = await access.permitted(uuidIn(args));
      const { form, signature, isReadable } = await access.reader().verification(uuid);
      const links = [{ uri: vconUri(uuid, 'metadata'), name: 'metadata' }];
      return answer({ uuid, form, signature, readable: isReadable }, { budget: access.budget, less: '', links });
    },
  );
}
