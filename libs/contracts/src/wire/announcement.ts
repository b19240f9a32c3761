/** What a service publishes at its start: its operations and the schemas that they use. */
import type { Counts, Deprecation, ExportFile, ReplyKind } from '../operation.js';

export const announcementsBucket = 'operations';

export interface AnnouncedOperation {
  id: string;
  method: string;
  path: string;
  /** Empty: any valid credential is enough. */
  scope: string;
  /** As `Operation.access`. */
  access?: 'member' | 'public';
  subject: string;
  reply: ReplyKind;
  /** Whether the operation takes a body, and whether it is optional. */
  body: 'none' | 'optional' | 'required';
  versioned: boolean;
  counts?: Counts;
  /** Of an export. */
  file?: ExportFile;
  deprecated?: Deprecation;
  /** The complete OpenAPI 3.0.3 operation object. */
  openapi: Record<string, unknown>;
}

export interface Announcement {
  service: string;
  operations: AnnouncedOperation[];
  schemas: Record<string, unknown>;
}
