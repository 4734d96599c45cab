// An SMTP server on loopback that records mails. It can refuse them, temporarily or permanently, or not answer.
import { type Server, createServer } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { freePort } from '../network/free-port.ts';

export interface Mail {
  from: string;
  to: string[];
  /** Headers and text, as received. */
  raw: string;
}

export class MailServer implements AsyncDisposable {
  readonly received: Mail[] = [];
  /** The code of its response to a message; 250 accepts it. */
  answer = 250;
  readonly #server: SMTPServer;
  readonly #silent: Server;
  #port = 0;

  private constructor({ user, password }: { user: string; password: string }) {
    this.#silent = createServer();
    this.#server = new SMTPServer({
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      onAuth: ({ username, password: given }, _session, done) => {
        if (username === user && given === password) done(null, { user });
        else done(new Error('Invalid login'));
      },
      onData: (stream, { envelope }, done) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          if (this.answer !== 250) return done(Object.assign(new Error('Not now'), { responseCode: this.answer }));
          const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
          const to = envelope.rcptTo.map(({ address }) => address);
          this.received.push({ from, to, raw: Buffer.concat(chunks).toString() });
          return done();
        });
      },
      logger: false,
    });
    this.#server.on('error', () => undefined);
  }

  static async start(login: { user: string; password: string }): Promise<MailServer> {
    const mail = new MailServer(login);
    mail.#port = await freePort();
    await new Promise<void>((resolve) => void mail.#server.listen(mail.#port, '127.0.0.1', resolve));
    return mail;
  }

  get url(): string {
    return `smtp://127.0.0.1:${this.#port}`;
  }

  /** Ends it; connections are refused from now on. */
  async stop(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#server.close(resolve);
    });
  }

  /** Replaces it with a server that accepts connections and sends nothing. */
  async fallSilent(): Promise<void> {
    await this.stop();
    await new Promise<void>((resolve) => void this.#silent.listen(this.#port, '127.0.0.1', resolve));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await new Promise<void>((resolve) => void this.#silent.close(() => resolve()));
    await this.stop();
  }
}
