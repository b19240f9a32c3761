/** The keys for push messages: those that open the addresses of devices, and those with which requests are signed. */
import { recordOfSubscription, type SendTarget } from '@ams/contracts';
import type { PushSubscription } from '@ams/domain';
import { sealedSecretsOf, type SealedSecrets } from '@ams/service';
import { Injectable } from '@nestjs/common';
import webPush from 'web-push';
import { NotifierSettings } from '../settings.js';

type Device = Extract<SendTarget, { channel: 'push' }>;

export type OpenedSubscription =
  | { kind: 'subscription'; value: PushSubscription }
  /** `retry`: while the operator changes SECRETS_KEY, a replica may not have the new key yet. */
  | { kind: 'unusable'; why: string; retry: boolean };

export interface PushOptions {
  /** How long the push service keeps the message for a device that is offline, in seconds. */
  ttl: number;
  urgency: 'normal' | 'high';
  /** Of messages with the same topic that wait for a device, only the last one is kept. */
  topic: string;
}

const unusable = (why: string, retry = false): OpenedSubscription => ({ kind: 'unusable', why, retry });

@Injectable()
export class PushEncryption {
  private readonly vapid: { publicKey: string; privateKey: string; subject: string } | null;
  private readonly sealed: SealedSecrets | null;

  constructor({ vapidPublicKey, vapidPrivateKey, vapidSubject, secretsKey }: NotifierSettings) {
    this.vapid =
      vapidPublicKey !== undefined && vapidPrivateKey !== undefined && vapidSubject !== undefined
        ? { publicKey: vapidPublicKey, privateKey: vapidPrivateKey, subject: vapidSubject }
        : null;
    this.sealed = sealedSecretsOf(secretsKey);
  }

  subscriptionOf({ deviceId, subscription }: Device): OpenedSubscription {
    if (!this.vapid || !this.sealed) return unusable('The operator has not set up push messages.');
    try {
      const opened = this.sealed.open(Buffer.from(subscription, 'base64'), recordOfSubscription(deviceId));
      if (!opened) return unusable('The key for the address of the device is not in SECRETS_KEY.', true);
      return { kind: 'subscription', value: JSON.parse(opened.toString()) as PushSubscription };
    } catch {
      return unusable('The address of the device cannot be decrypted: add the device again.');
    }
  }

  /** The request to the push service (RFC 8030), encrypted (RFC 8291) and signed (RFC 8292). */
  requestOf(
    subscription: PushSubscription,
    payload: string,
    { ttl, urgency, topic }: PushOptions,
  ): { headers: Record<string, string>; authorization: string; body: Buffer } {
    if (!this.vapid) throw new Error('push messages are not set up');
    const { headers, body } = webPush.generateRequestDetails(subscription, payload, {
      vapidDetails: this.vapid,
      contentEncoding: 'aes128gcm',
      TTL: ttl,
      urgency,
      topic,
    });
    const { Authorization: authorization, 'Content-Length': _length, ...others } = headers as Record<string, unknown>;
    return {
      headers: Object.fromEntries(Object.entries(others).map(([name, value]) => [name.toLowerCase(), String(value)])),
      authorization: String(authorization),
      body,
    };
  }
}
