/** Where a service runs: how its process is started there, and under which address it listens. */
export interface Place {
  /** The command that starts the service's command. */
  prefix: readonly string[];
  env: Readonly<Record<string, string>>;
  host: string;
}

export const thisMachine: Place = { prefix: [], env: {}, host: '127.0.0.1' };
