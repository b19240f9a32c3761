/**
 * The logger of a service, as an injection token. pino implements it (`createLogger` in @ams/service). The facts of a
 * log line come first; the message is constant.
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
