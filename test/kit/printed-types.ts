// Types as an editor shows them; printed-types.test.ts prints them with the compiler.
import { liveServer } from '@tidings/live';

const server = liveServer({ name: 'printed', version: '1.0.0' });

export const city = server.resource('weather://{city}', { read: (params) => params });
export const pages = server.resource('notes://{name}.json{/part}{?q,page}', { read: (params) => params });
export const { changed } = city;
