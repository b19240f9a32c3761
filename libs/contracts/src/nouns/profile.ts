/** What a member changes about themselves, with any role. */
import { componentsOf, sentContactMethods, validateContactMethods, type SentContactMethod } from '@ams/domain';
import type { FieldFault } from '../fault.js';
import { operation } from '../operation.js';
import { worded } from './common.js';
import { NameField, SettingField, TimeZoneField } from './fields.js';
import { MemberRecord, memberRecordExample } from './members.js';

export class PutProfile {
  @NameField({ presence: 'kept' })
  name?: string;

  @TimeZoneField({ presence: 'kept', description: 'IANA time zone.' })
  timezone?: string;

  @SettingField(sentContactMethods, {
    description: 'Further addresses. They replace those that are there.',
  })
  contactMethods?: SentContactMethod[];
}

/** The address of the member is compared in `auth`, which knows it. */
const contactFaults = ({ contactMethods }: Record<string, unknown>): FieldFault[] =>
  contactMethods === undefined ? [] : worded(validateContactMethods(contactMethods, null));

export const getProfile = operation({
  id: 'profile.get',
  operationId: 'getProfile',
  owner: 'auth',
  method: 'GET',
  path: '/profile',
  scope: null,
  access: 'member',
  tag: 'Signing in',
  summary: 'Get the own member record',
  description: 'The member as whom the person acts.',
  reply: 'one',
  item: MemberRecord,
  versioned: true,
  example: { reply: { data: memberRecordExample } },
});

export const updateProfile = operation({
  id: 'profile.update',
  operationId: 'updateProfile',
  owner: 'auth',
  method: 'PUT',
  path: '/profile',
  scope: null,
  access: 'member',
  tag: 'Signing in',
  summary: 'Update the own member record',
  description: 'Changes the fields that are sent. The e-mail address and the role are changed by those who may.',
  body: PutProfile,
  check: contactFaults,
  schemas: componentsOf(sentContactMethods),
  reply: 'one',
  item: MemberRecord,
  versioned: true,
  faults: ['VERSION_MISMATCH'],
  example: { body: { timezone: 'Europe/London' }, reply: { data: memberRecordExample } },
});

export const profileOperations = [getProfile, updateProfile];
