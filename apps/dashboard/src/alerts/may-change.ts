/** What changes the state of one alert. */
export type AlertAction = 'acknowledge' | 'unacknowledge' | 'resolve';

/** Whether the change would do anything. */
export const mayChange = (action: AlertAction, { status }: { status: string }): boolean =>
  status !== 'resolved' && (action === 'resolve' || (status === 'acknowledged') === (action === 'unacknowledge'));
