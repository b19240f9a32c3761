import { stringEnum } from '../validation/schema.js';
import { severities } from './severity.js';

export const severitySchema = stringEnum(severities, { $id: 'Severity' });
