// The endpoint in Express, as docs/frameworks.md shows it. JavaScript: Express brings no types.
import { httpEndpoint, liveServer } from '@tidings/live';
import express from 'express';

export const server = liveServer({ name: 'notes', version: '1.0.0' });
export const note = server.resource('note://{id}', { read: ({ id }) => `Note ${id}` });

const endpoint = httpEndpoint(server);

export const app = express();
app.use(express.json());
app.all('/mcp', endpoint.handle);

export const close = () => endpoint.close();
