// The page's content security policy forbids code from text (`new Function`), which zod would otherwise try.
import * as z from 'zod/mini';

z.config({ jitless: true });
