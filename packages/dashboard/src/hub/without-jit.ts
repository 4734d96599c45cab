// The page's content security policy forbids `eval`, which zod would otherwise try.
import * as z from 'zod/mini';

z.config({ jitless: true });
