import {
  createView,
  deleteView,
  getView,
  listViews,
  updateView,
  type Input,
  type ListViewsQuery,
  type NoQuery,
  type Page,
  type PostView,
  type PutView,
  type View,
} from '@ams/contracts';
import { Handles } from '@ams/messaging';
import { Controller } from '@nestjs/common';
import { ViewsService } from './views.service.js';

@Controller()
export class ViewsController {
  constructor(private readonly service: ViewsService) {}

  @Handles(listViews)
  list(input: Input<ListViewsQuery, undefined>): Promise<Page<View>> {
    return this.service.list(input);
  }

  @Handles(createView)
  create(input: Input<NoQuery, PostView>): Promise<View> {
    return this.service.create(input);
  }

  @Handles(getView)
  get(input: Input<NoQuery, undefined>): Promise<View> {
    return this.service.get(input);
  }

  @Handles(updateView)
  update(input: Input<NoQuery, PutView>): Promise<View> {
    return this.service.update(input);
  }

  @Handles(deleteView)
  delete(input: Input<NoQuery, undefined>): Promise<void> {
    return this.service.delete(input);
  }
}
