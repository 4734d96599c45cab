// Settings as tools take them: any JSON object. To clients it is described as just that, since not every
// host can read a schema that refers to itself.
import { z } from 'zod';

export const settings = z.record(z.string(), z.unknown()).pipe(z.record(z.string(), z.json()));
