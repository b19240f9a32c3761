// Runs a query with several clients at once, as a prepared statement: measures rate and latency.
import pg from 'pg';

process.on('message', async ({ url, text, values, clients, seconds }) => {
  const connections = Array.from({ length: clients }, () => new pg.Client({ connectionString: url }));
  await Promise.all(connections.map((client) => client.connect()));
  const times = [];
  const began = performance.now();
  const until = began + seconds * 1000;
  await Promise.all(
    connections.map(async (client) => {
      while (performance.now() < until) {
        const since = performance.now();
        await client.query({ name: 'page', text, values });
        times.push(performance.now() - since);
      }
    }),
  );
  const took = (performance.now() - began) / 1000;
  await Promise.all(connections.map((client) => client.end()));
  times.sort((a, b) => a - b);
  process.send(
    { rate: times.length / took, p50: times[times.length >> 1], p99: times[Math.floor(times.length * 0.99)] },
    () => process.exit(0),
  );
});
