import { NotificationEntity } from './notifications/notification.entity.js';
import { PageRequestEntity } from './pages/page-request.entity.js';
import { EventDecisionEntity } from './runs/event-decision.entity.js';
import { SetAsideEventEntity } from './runs/set-aside-event.entity.js';
import { WaitingEventEntity } from './runs/waiting-event.entity.js';
import { WorkflowRunEntity } from './runs/workflow-run.entity.js';

export const entities = [
  WorkflowRunEntity,
  EventDecisionEntity,
  NotificationEntity,
  PageRequestEntity,
  SetAsideEventEntity,
  WaitingEventEntity,
];
