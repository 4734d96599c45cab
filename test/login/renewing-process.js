// A process whose token has been rejected by the server.
import { once } from 'node:events';
import { foregroundClock } from '@tidings/live/time';
import { FileLoginStore } from '../../packages/track/dist/login/file-login-store.js';
import { Logins } from '../../packages/track/dist/login/logins.js';

const [data = '', url = ''] = process.argv.slice(2);
const logins = new Logins({ store: new FileLoginStore(data, foregroundClock), fetch, clock: foregroundClock });
const login = logins.of({ id: 'notes', url, headers: {}, enabled: true, trackResources: true });
const rejected = await login.token();
console.log('ready');
await once(process.stdin, 'data');
console.log(await login.another(rejected, new Response(null, { status: 401 })));
process.exit(0);
