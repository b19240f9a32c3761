/**
 * Whether PostgreSQL refused a value (class 22, data exception, and 23, integrity constraint violation): the same
 * statement would fail again.
 */
export const isDataError = (error: unknown): boolean => /^2[23]/.test((error as { code?: string }).code ?? '');
