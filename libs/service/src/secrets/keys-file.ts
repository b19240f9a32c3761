import { readFileSync } from 'node:fs';
import { SettingsError } from '../settings.js';

/** Reads the file of a setting with `read`. Its error names the setting and the file, and nothing of its content. */
export function readKeysFile<Keys>(variable: string, file: string, read: (text: string) => Keys): Keys {
  try {
    return read(readFileSync(file, 'utf8'));
  } catch (error) {
    const reason = error instanceof SyntaxError ? 'it is not JSON.' : (error as Error).message;
    throw new SettingsError(`${variable}: ${file} cannot be used: ${reason}`);
  }
}
