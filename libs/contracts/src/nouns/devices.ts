/** Devices: the browsers to which a member has pages pushed. A member sees, adds and removes the own ones only. */
import { maxEndpointLength, pushEndpointFault, pushKeyPatterns } from '@ams/domain';
import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsObject, Matches, ValidateBy, ValidateNested } from 'class-validator';
import { operation } from '../operation.js';
import { ListQuery, nullableText, nullableTime, time } from './common.js';
import { NameField } from './fields.js';
import { SortField } from './filters.js';
import { Notification, notificationExample } from './notifications.js';

export const maxDevices = 10;

export const deviceEnds = ['gone', 'replaced'] as const;
export type DeviceEnd = (typeof deviceEnds)[number];

const IsPushEndpoint = (): PropertyDecorator =>
  ValidateBy({
    name: 'isPushEndpoint',
    validator: {
      validate: (value: unknown) => pushEndpointFault(value) === null,
      defaultMessage: (args) => `$property ${pushEndpointFault(args?.value) ?? ''}`,
    },
  });

export class PushKeys {
  @ApiProperty({
    pattern: pushKeyPatterns.p256dh.source,
    description: 'The public key of the browser: a point of P-256 in base64url.',
  })
  @Matches(pushKeyPatterns.p256dh, { message: '$property must be a point of P-256, 65 bytes in base64url' })
  p256dh!: string;

  @ApiProperty({ pattern: pushKeyPatterns.auth.source, description: '16 bytes in base64url.' })
  @Matches(pushKeyPatterns.auth, { message: '$property must be 16 bytes in base64url' })
  auth!: string;
}

export class PostDevice {
  @NameField({ description: 'Such as the name of the browser.' })
  name!: string;

  @ApiProperty({
    maxLength: maxEndpointLength,
    description: 'From `PushSubscription.toJSON()`. It begins with https://. It is a secret, and no answer has it.',
  })
  @IsPushEndpoint()
  endpoint!: string;

  @ApiProperty({ type: PushKeys, description: 'From `PushSubscription.toJSON()`. They are secrets too.' })
  @IsObject()
  @ValidateNested()
  @Type(() => PushKeys)
  keys!: PushKeys;
}

export class Device {
  @ApiProperty() id!: string;
  @ApiProperty({ description: 'A name that the member chose.' }) name!: string;
  @ApiProperty({ description: 'The host of the push service.' }) service!: string;
  @ApiProperty({
    description: 'The beginning of the SHA-256 of the endpoint, in base64url: so a browser finds its own entry.',
  })
  fingerprint!: string;
  @ApiProperty({ ...time }) createdAt!: string;
  @ApiProperty({ ...nullableTime, description: 'Since when nothing is sent to the device.' }) endedAt!: string | null;
  @ApiProperty({
    enum: deviceEnds,
    enumName: 'DeviceEnd',
    nullable: true,
    description:
      '`gone`: the push service does not know it any more, for example because the browser was removed. `replaced`: ' +
      'somebody else added the same browser.',
  })
  endReason!: DeviceEnd | null;
}

export class PushSettings {
  @ApiProperty({
    ...nullableText,
    description:
      'The VAPID key (RFC 8292) for `PushManager.subscribe()`. Null: the operator has not set up push messages.',
  })
  publicKey!: string | null;
}

const deviceSorts = ['createdAt', '-createdAt'] as const;

export class ListDevicesQuery extends ListQuery {
  @SortField(deviceSorts, 'createdAt')
  sort?: (typeof deviceSorts)[number];
}

const deviceExample: Device = {
  id: 'dev_01938f3a7c2e7d4ab1c2d3e4f5060170',
  name: 'Firefox on Android',
  service: 'updates.push.services.mozilla.com',
  fingerprint: 'kS7wq0nB1sYt3fXv',
  createdAt: '2026-11-20T13:00:00.000Z',
  endedAt: null,
  endReason: null,
};

const common = { scope: null, access: 'member', tag: 'Signing in' } as const;
const ofAuth = { ...common, owner: 'auth' } as const;

export const getPush = operation({
  ...ofAuth,
  id: 'devices.push',
  operationId: 'getPush',
  method: 'GET',
  path: '/profile/push',
  summary: 'Get the settings for push messages',
  description: 'The key with which a browser subscribes.',
  reply: 'one',
  item: PushSettings,
  example: {
    reply: {
      data: { publicKey: 'BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM' },
    },
  },
});

export const listDevices = operation({
  ...ofAuth,
  id: 'devices.list',
  operationId: 'listDevices',
  method: 'GET',
  path: '/profile/devices',
  summary: 'List your devices',
  description:
    'The browsers to which your pages are pushed, and those that have ended, with the reason. They belong to you in ' +
    'the present organization.',
  query: ListDevicesQuery,
  reply: 'list',
  item: Device,
  faults: ['INVALID_CURSOR'],
  example: { reply: { data: [deviceExample], meta: { limit: 50, hasMore: false, nextCursor: null, total: 1 } } },
});

export const addDevice = operation({
  ...ofAuth,
  id: 'devices.add',
  operationId: 'addDevice',
  method: 'POST',
  path: '/profile/devices',
  summary: 'Add a device',
  description:
    'From now on each message that goes to your e-mail address is also pushed to this browser. A browser that you added ' +
    `before keeps its entry, with the new name and keys. At most ${maxDevices} devices for each member.`,
  body: PostDevice,
  reply: 'created',
  item: Device,
  faults: ['CONFLICT', 'IDEMPOTENCY_KEY_REUSED'],
  example: {
    body: {
      name: deviceExample.name,
      endpoint: 'https://updates.push.services.mozilla.com/wpush/v2/gAAAAABlY2hv',
      keys: {
        p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
        auth: 'BTBZMqHH6r4Tts7J_aSIgg',
      },
    },
    reply: { data: deviceExample },
  },
});

export const deleteDevice = operation({
  ...ofAuth,
  id: 'devices.delete',
  operationId: 'deleteDevice',
  method: 'DELETE',
  path: '/profile/devices/{id}',
  summary: 'Remove a device',
  description: 'Nothing is pushed to it any more, also what waits to be sent.',
  reply: 'none',
  example: { params: { id: deviceExample.id }, reply: null },
});

export const testDevice = operation({
  ...common,
  owner: 'workflow-engine',
  id: 'devices.test',
  operationId: 'testDevice',
  method: 'POST',
  path: '/profile/devices/{id}/test',
  summary: 'Push a test message',
  description:
    'Pushes a test message to one of your devices. The response is the new notification; `GET /notifications/{id}` ' +
    'shows its result.',
  reply: 'created',
  item: Notification,
  faults: ['IDEMPOTENCY_KEY_REUSED'],
  example: {
    params: { id: deviceExample.id },
    reply: {
      data: {
        ...notificationExample,
        alertId: null,
        incidentId: null,
        workflowId: null,
        runId: null,
        stepId: null,
        target: deviceExample.name,
        channel: 'push',
        status: 'queued',
        reason: null,
        why: 'Mira Okafor sends a test.',
        attempts: 0,
      },
    },
  },
});

export const deviceOperations = [getPush, listDevices, addDevice, deleteDevice, testDevice];
