// The page's content security policy forbids code that is made from text, which zod would otherwise try.
import * as z from 'zod/mini';

z.config({ jitless: true });
