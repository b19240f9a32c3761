/** The variables of `environment` that the service knows and the start does not decide itself. */
export function operatorSettings(
  service: string,
  environment: Record<string, string | undefined>,
): Record<string, string>;
/** For the help: the names of all settings, by service. */
export function listOfSettings(): string;
