// The health check of an image: exit code 0 when /readyz answers 200. Needs no shell.
import { readFileSync } from 'node:fs';

const { health } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));
const port = process.env[health.variable] || health.port;
try {
  const response = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(4000) });
  if (!response.ok) console.error(await response.text());
  process.exitCode = response.ok ? 0 : 1;
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
