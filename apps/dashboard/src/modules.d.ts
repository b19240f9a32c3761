/** The modules that build/api-document.mjs makes of docs/openapi.json. */
declare module 'virtual:operations' {
  /** Method, path and required scope of each operation. */
  export const operations: Record<string, readonly ['GET' | 'POST' | 'PUT' | 'DELETE', string, string | null]>;
}

declare module 'schema:*' {
  import type { Schema } from '@cfworker/json-schema';
  const schema: Schema;
  export default schema;
}

/** The types of integrations, which build/senders.mjs reads in docs/ingest.md. */
declare module 'virtual:senders' {
  export const senders: readonly { type: string; name: string; setup: string }[];
}

/** The styles of the Mantine components in use: build/mantine-styles.mjs. */
declare module 'virtual:mantine-styles';
