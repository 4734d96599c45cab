// Express in front of an endpoint, with each of its body parsers. JavaScript, because Express has no types.
import express from 'express';

export const expressFronts = {
  'Express without a parser': (handle) => express().all('/mcp', handle),
  'Express json': (handle) => express().use(express.json()).all('/mcp', handle),
  // The parsers of Express 4 set this for bodies that they do not parse.
  'Express with an empty req.body': (handle) =>
    express()
      .use((req, _res, next) => {
        req.body = {};
        next();
      })
      .all('/mcp', handle),
  'Express raw': (handle) =>
    express()
      .use(express.raw({ type: '*/*' }))
      .all('/mcp', handle),
  'Express text': (handle) =>
    express()
      .use(express.text({ type: '*/*' }))
      .use('/mcp', handle),
};
