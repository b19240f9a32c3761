import {
  createSuppression,
  deleteSuppression,
  getSuppression,
  listOccurrences,
  listSuppression,
  previewSuppression,
  silenceAlert,
  updateSuppression,
  type Input,
  type ListSuppressionQuery,
  type NoQuery,
  type OccurrencesQuery,
  type Page,
  type PostSilence,
  type PostSuppressionWindow,
  type PutSuppressionWindow,
  type SuppressionPreview,
  type SuppressionWindow,
  type WindowOccurrences,
  type WindowScope,
} from '@ams/contracts';
import { Handles } from '@ams/messaging';
import { Controller } from '@nestjs/common';
import { SuppressionService } from './suppression.service.js';

@Controller()
export class SuppressionController {
  constructor(private readonly service: SuppressionService) {}

  @Handles(listSuppression)
  list(input: Input<ListSuppressionQuery, undefined>): Promise<Page<SuppressionWindow>> {
    return this.service.list(input);
  }

  @Handles(createSuppression)
  create(input: Input<NoQuery, PostSuppressionWindow>): Promise<SuppressionWindow> {
    return this.service.create(input);
  }

  @Handles(silenceAlert)
  silence(input: Input<NoQuery, PostSilence>): Promise<SuppressionWindow> {
    return this.service.silence(input);
  }

  @Handles(previewSuppression)
  preview(input: Input<NoQuery, WindowScope>): Promise<SuppressionPreview> {
    return this.service.preview(input);
  }

  @Handles(listOccurrences)
  occurrences(input: Input<OccurrencesQuery, undefined>): Promise<WindowOccurrences> {
    return this.service.occurrences(input);
  }

  @Handles(getSuppression)
  get(input: Input<NoQuery, undefined>): Promise<SuppressionWindow> {
    return this.service.get(input);
  }

  @Handles(updateSuppression)
  update(input: Input<NoQuery, PutSuppressionWindow>): Promise<SuppressionWindow> {
    return this.service.update(input);
  }

  @Handles(deleteSuppression)
  delete(input: Input<NoQuery, undefined>): Promise<void> {
    return this.service.delete(input);
  }
}
