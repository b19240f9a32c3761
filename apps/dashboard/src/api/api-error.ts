/** What the API answers instead of a success: `{error, code, details}`. */
export interface FieldFault {
  /** `contacts[0].email`; empty for the whole body. */
  path: string;
  rule: string;
  message: string;
}

export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(
    /** 0 when there was no answer. */
    readonly status: number,
    /** `NOT_FOUND`; `UNREACHABLE` when there was no answer. */
    readonly code: string,
    message: string,
    readonly details: unknown = null,
    readonly requestId: string | null = null,
  ) {
    super(message);
  }

  /** The faults of a VALIDATION_ERROR; none for other codes. */
  get fields(): FieldFault[] {
    const fields = isObject(this.details) ? this.details['fields'] : undefined;
    return this.code === 'VALIDATION_ERROR' && Array.isArray(fields) ? (fields as FieldFault[]) : [];
  }

  /** Whether the same request may succeed later. */
  get isPassing(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }

  /** Seconds of a 429 until the next request is allowed. */
  get retryAfterSeconds(): number | null {
    const seconds = isObject(this.details) ? this.details['retryAfterSeconds'] : undefined;
    return typeof seconds === 'number' ? seconds : null;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** The error of an answer; its body may be anything when something between here and the API answered. */
export function errorOf(status: number, body: unknown, requestId: string | null): ApiError {
  if (isObject(body) && typeof body['error'] === 'string' && typeof body['code'] === 'string') {
    return new ApiError(status, body['code'], body['error'], body['details'] ?? null, requestId);
  }
  return new ApiError(status, 'UNAVAILABLE', `The server answered ${status}.`, null, requestId);
}

/** The first message for each path, as a form shows them. */
export function messagesByPath(fields: readonly FieldFault[]): Record<string, string> {
  const messages: Record<string, string> = {};
  for (const { path, message } of fields) messages[path] ??= message;
  return messages;
}
