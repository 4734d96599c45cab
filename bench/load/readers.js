// `resources/read` over a few kept-alive connections, each with one request at a time.
import { connect } from 'node:net';
import { readRequest } from './requests.js';

const connections = 4;

export async function readMany(url, reads) {
  await Promise.all(Array.from({ length: connections }, () => readInSequence(url, reads / connections)));
}

function readInSequence(url, reads) {
  const { hostname, port } = new URL(url);
  const request = readRequest(url, 1, 0);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    let answer = '';
    let left = reads;
    socket.setEncoding('latin1');
    socket.on('data', (chunk) => {
      answer += chunk;
      if (!isWhole(answer)) return;
      if (!answer.startsWith('HTTP/1.1 200') || !answer.includes('"resultType":"complete"')) {
        socket.destroy(new Error(`Not an answer to resources/read:\n${answer}`));
        return;
      }
      answer = '';
      left -= 1;
      if (left > 0) socket.write(request);
      else socket.end();
    });
    socket.on('error', reject);
    socket.on('close', () => (left === 0 ? resolve() : reject(new Error('The server closed a connection.'))));
    socket.write(request);
  });
}

function isWhole(answer) {
  const headEnd = answer.indexOf('\r\n\r\n');
  if (headEnd === -1) return false;
  const length = /^content-length: (\d+)/im.exec(answer.slice(0, headEnd))?.[1];
  return length === undefined ? answer.endsWith('\r\n0\r\n\r\n') : answer.length - headEnd - 4 >= Number(length);
}
