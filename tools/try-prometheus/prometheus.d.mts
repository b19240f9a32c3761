/** Debian's Prometheus and its tool: paths of programs, or why there is none. `print` receives progress messages. */
export function findPrometheus(
  print: (message: string) => void,
): { command: string[]; promtool: string } | { why: string };
