/** The notifier as a service: the only one that speaks to the outside. It has no database, and no port but that of its health. */
import type { ServiceDefinition } from '@ams/service';
import { Notifier, outsideWorld, type Outside } from './notifier.js';
import { resolveHere, resolveInDns } from './resolver.js';
import { NotifierSettings, serviceName } from './settings.js';

export function notifier(
  outside: Outside = { resolveInDns, resolveHere, now: Date.now },
): ServiceDefinition<NotifierSettings> {
  return {
    name: serviceName,
    settings: NotifierSettings,
    providers: [Notifier, { provide: outsideWorld, useValue: outside }],
    parts: [Notifier],
  };
}
