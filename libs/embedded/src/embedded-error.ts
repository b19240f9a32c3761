/** Expected failures of the environment; the message says how to fix them. */
export type EmbeddedErrorCode =
  'ALREADY_RUNNING' | 'DISK_FULL' | 'FAILED' | 'NO_BINARIES' | 'NO_PERMISSION' | 'PORT_TAKEN';

export class EmbeddedError extends Error {
  constructor(
    readonly code: EmbeddedErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'EmbeddedError';
  }
}

/** Converts an error of the file system to an EmbeddedError; other errors are returned unchanged. */
export function explainFileError(error: unknown, doing: string): unknown {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  const detail = (error as Error | null)?.message ?? String(error);
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new EmbeddedError('DISK_FULL', `${doing}: the disk is full (${detail})`, { cause: error });
  }
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
    return new EmbeddedError('NO_PERMISSION', `${doing}: no permission (${detail})`, { cause: error });
  }
  return error;
}
