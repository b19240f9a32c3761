/** What all exports have in common. */
import { exportFormats } from '@ams/domain';
import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import { Once } from './common.js';

/** The `format` of an export. */
export const ExportFormatField = (): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({
      enum: exportFormats,
      enumName: 'ExportFormat',
      default: exportFormats[0],
      description: '`ndjson`: one record as JSON on each line. `csv`: RFC 4180 with a header line.',
    }),
    Once(),
    IsOptional(),
    IsIn(exportFormats),
  );

/** The description of the `sort` of an export. */
export const stableSort = ' Only by fields that never change, so that no record is skipped or exported twice.';

/** The description of an export of these records. */
export const exportDescription = (records: string): string =>
  `All ${records} that the filters choose, as one file. An export counts as one request.\n\n` +
  'The export is complete if the response ends as HTTP says it must. When something fails after the response has ' +
  'begun, the connection is reset: every HTTP client reports that as an error, and the export must be repeated. ' +
  `No record is exported twice. Each of the ${records} that existed during the whole export, and that the filters chose ` +
  'all that time, is in it. A record that changes meanwhile is exported as it was at some time during the export.\n\n' +
  'In CSV, labels and other objects and lists are JSON in one cell, and no value is an empty cell. A text that begins ' +
  "with `=`, `+`, `-`, `@`, a tab, a line break or `'` has a `'` in front, so that no spreadsheet runs it as a formula. " +
  'New columns are added at the end.\n\n' +
  'An organization may have only a few exports at a time; one more is refused with 429. An export ends in the same ' +
  'way as after a failure when its caller does not read for some time.';
