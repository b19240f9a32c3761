import {
  exportNotifications,
  getDelivery,
  getNotification,
  listDeliveries,
  listNotifications,
  testDelivery,
  testDevice,
  testNotification,
  type ExportNotificationsQuery,
  type Input,
  type ListNotificationsQuery,
  type Notification,
  type Page,
  type TestNotification,
} from '@ams/contracts';
import { Handles } from '@ams/messaging';
import { Controller } from '@nestjs/common';
import { NotificationsService } from './notifications.service.js';

type NoQuery = Record<string, never>;

@Controller()
export class NotificationsController {
  constructor(private readonly notifications: NotificationsService) {}

  @Handles(listNotifications)
  list(input: Input<ListNotificationsQuery, undefined>): Promise<Page<Notification>> {
    return this.notifications.list(input);
  }

  @Handles(exportNotifications)
  export(input: Input<ExportNotificationsQuery, undefined>): Promise<Page<Notification>> {
    return this.notifications.export(input);
  }

  @Handles(getNotification)
  get(input: Input<NoQuery, undefined>): Promise<Notification> {
    return this.notifications.get(input);
  }

  @Handles(testNotification)
  test(input: Input<NoQuery, TestNotification>): Promise<Notification> {
    return this.notifications.test(input);
  }

  @Handles(testDevice)
  testDevice(input: Input<NoQuery, undefined>): Promise<Notification> {
    return this.notifications.testDevice(input);
  }

  @Handles(listDeliveries)
  listDeprecated(input: Input<ListNotificationsQuery, undefined>): Promise<Page<Notification>> {
    return this.notifications.list(input);
  }

  @Handles(getDelivery)
  getDeprecated(input: Input<NoQuery, undefined>): Promise<Notification> {
    return this.notifications.get(input);
  }

  @Handles(testDelivery)
  testDeprecated(input: Input<NoQuery, TestNotification>): Promise<Notification> {
    return this.notifications.test(input);
  }
}
