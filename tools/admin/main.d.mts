/** Runs one command. Returns the exit code: 0 success, 1 failure, 2 invalid arguments. */
export function main(args: string[], prepare?: () => Promise<unknown>): Promise<number>;
