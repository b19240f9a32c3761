/**
 * What services log with, as a token for Nest's injector. pino implements it (`createLogger` in @ams/service): facts first,
 * then a message that does not change from line to line.
 */
export abstract class Logger {
  abstract isLevelEnabled(level: string): boolean;
  abstract trace(facts: object, message?: string): void;
  abstract debug(facts: object, message?: string): void;
  abstract info(facts: object, message?: string): void;
  abstract warn(facts: object, message?: string): void;
  abstract error(facts: object, message?: string): void;
  abstract fatal(facts: object, message?: string): void;
}
