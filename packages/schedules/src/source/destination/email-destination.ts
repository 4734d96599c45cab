// E-mail over SMTP. If there is a password, the connection is encrypted before it is sent, except to this machine.
import { LiveError } from '@tidings/live';
import { isLoopback } from '@tidings/live/internal';
import { hasCredentials, parsedUrl, startOf } from '@tidings/live/portable';
import { createTransport } from 'nodemailer';
import { z } from 'zod';
import { DeliveryError } from './delivery-error.ts';
import { type Destination, type Push, repeatTag } from './destination.ts';

interface EmailOptions {
  /** `smtp://host:587` (encrypted by STARTTLS where the server can) or `smtps://host:465`. */
  server: string;
  user?: string | undefined;
  password?: string | undefined;
  from: string;
  to: readonly string[];
  timeoutMs?: number | undefined;
}

export function emailDestination(options: EmailOptions): Destination {
  const { user, password, from, to, timeoutMs = 20_000 } = options;
  const { hostname: host, port, protocol, host: shown } = serverAddress(options.server);
  const isEncrypted = protocol === 'smtps:';
  const transport = createTransport({
    host,
    port: port === '' ? (isEncrypted ? 465 : 587) : Number(port),
    secure: isEncrypted,
    requireTLS: !isEncrypted && password !== undefined && !isLoopback(host),
    ...(user !== undefined && password !== undefined && { auth: { user, pass: password } }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    // A message must not attach files or content of addresses.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    kind: 'email',
    words: `e-mail to ${to.join(', ')} through ${shown}`,
    send: async (push) => {
      try {
        await transport.sendMail({ from, to: [...to], ...mailOf(push) });
      } catch (error) {
        throw failureOf(error, shown, password);
      }
    },
  };
}

function mailOf({ id, at, topic, title, message, tags, click }: Push) {
  const again = tags?.includes(repeatTag) ? ' (again)' : '';
  const [firstLine = ''] = message.trim().split('\n', 1);
  const subject = `${title ?? `${topic}: ${startOf(firstLine, 100)}`}${again}`;
  return {
    subject: subject.replaceAll(/\s+/g, ' '),
    text: click === undefined ? message : `${message}\n\n${click}`,
    // The same for every attempt, so that mail programs show only one.
    messageId: `<${id}@tidings>`,
    date: new Date(at),
  };
}

function serverAddress(server: string): URL {
  const url = parsedUrl(server);
  if (!url || !/^smtps?:$/.test(url.protocol) || url.hostname === '') {
    throw new LiveError('INVALID_PARAMS', 'The mail server must be a URL such as smtp://mail.example.com:587.');
  }
  if (hasCredentials(url)) {
    throw new LiveError('INVALID_PARAMS', 'The address of the mail server may not hold a user name or a password.');
  }
  return url;
}

const failure = z.object({
  code: z.string().optional(),
  responseCode: z.number().optional(),
  response: z.string().optional(),
});

function failureOf(error: unknown, server: string, secret: string | undefined): DeliveryError {
  const { code = 'no connection', responseCode, response = '' } = failure.safeParse(error).data ?? {};
  if (responseCode === undefined) {
    const isTimeout = code === 'ETIMEDOUT';
    const problem = isTimeout ? 'did not answer in time' : `cannot be reached (${code})`;
    return new DeliveryError('UNAVAILABLE', `The mail server ${server} ${problem}.`, { isTemporary: true });
  }
  const said = clean(response, secret);
  const isRefusedLogin = code === 'EAUTH' && responseCode >= 500;
  const advice = isRefusedLogin ? ': check the user name and the password' : '';
  const message = `The mail server ${server} answered ${said === '' ? responseCode : said}${advice}.`;
  return new DeliveryError(isRefusedLogin ? 'PERMISSION_DENIED' : 'UNAVAILABLE', message, {
    isTemporary: responseCode < 500,
  });
}

function clean(response: string, secret: string | undefined): string {
  const line = startOf(response.replaceAll(/\s+/g, ' '), 200).trim().replace(/\.$/, '');
  return secret ? line.replaceAll(secret, '…') : line;
}
