/** What a service publishes on start: the operations it answers and the schemas they use. */
import type { Deprecation } from '../operation.js';

export const announcementsBucket = 'operations';

export interface AnnouncedOperation {
  id: string;
  method: string;
  path: string;
  scope: string;
  subject: string;
  reply: 'one' | 'list' | 'created' | 'none';
  /** Whether the operation takes a body, and whether it may be left out. */
  body: 'none' | 'optional' | 'required';
  versioned: boolean;
  deprecated?: Deprecation;
  /** The OpenAPI 3.0.3 operation object, whole. */
  openapi: Record<string, unknown>;
}

export interface Announcement {
  service: string;
  operations: AnnouncedOperation[];
  schemas: Record<string, unknown>;
}
