/** What a service publishes at its start: its operations and the schemas that they use. */
import type { Deprecation } from '../operation.js';

export const announcementsBucket = 'operations';

export interface AnnouncedOperation {
  id: string;
  method: string;
  path: string;
  scope: string;
  subject: string;
  reply: 'one' | 'list' | 'created' | 'none';
  /** Whether the operation takes a body, and whether it is optional. */
  body: 'none' | 'optional' | 'required';
  versioned: boolean;
  deprecated?: Deprecation;
  /** The complete OpenAPI 3.0.3 operation object. */
  openapi: Record<string, unknown>;
}

export interface Announcement {
  service: string;
  operations: AnnouncedOperation[];
  schemas: Record<string, unknown>;
}
