import { listPages, type AlertPage, type Input, type ListPagesQuery, type Page } from '@ams/contracts';
import { Handles } from '@ams/messaging';
import { Controller } from '@nestjs/common';
import { PagesService } from './pages.service.js';

@Controller()
export class PagesController {
  constructor(private readonly service: PagesService) {}

  @Handles(listPages)
  list(input: Input<ListPagesQuery, undefined>): Promise<Page<AlertPage>> {
    return this.service.list(input);
  }
}
