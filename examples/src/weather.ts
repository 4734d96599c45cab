import { liveServer, notFound, serveHttp } from '@tidings/live';
import { z } from 'zod';

const stations = new Map([
  ['Oslo', { celsius: 4 }],
  ['São Paulo', { celsius: 27 }],
]);

const server = liveServer({ name: 'weather', version: '1.0.0' });

const weather = server.resource('weather://{city}', {
  title: 'Weather in a city',
  read: ({ city }) => stations.get(city) ?? notFound(),
  list: () => [...stations.keys()].map((city) => ({ city })),
  complete: { city: (prefix) => [...stations.keys()].filter((city) => city.startsWith(prefix)) },
});

const reading = z.object({ city: z.string(), celsius: z.number() });
server.tool('set_temperature', { input: reading }, ({ city, celsius }) => {
  const isNew = !stations.has(city);
  stations.set(city, { celsius });
  if (isNew) weather.added({ city });
  else weather.changed({ city });
});

const { url } = await serveHttp(server, { port: Number(process.argv[2] ?? 3000) });
console.log(`The weather is live at ${url}`);
