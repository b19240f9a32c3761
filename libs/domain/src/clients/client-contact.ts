/** The people of a client: one schema gives the type, the check and the document. */
import { Type, type Static } from '@sinclair/typebox';
import { faultsOf, type SettingsFault } from '../validation/check.js';
import { emailAddress } from '../validation/leaves.js';
import { checkOf } from '../validation/schema-check.js';
import { closedObject, visibleText } from '../validation/schema.js';

const clientContact = closedObject({ name: visibleText(200), email: emailAddress }, { $id: 'ClientContact' });

export type ClientContact = Static<typeof clientContact>;

export const clientContacts = Type.Array(clientContact, { maxItems: 50 });

const checkContacts = checkOf(clientContacts);

/** Every error of the contacts of a client; an empty list when they are valid. */
export const validateContacts = (input: unknown): SettingsFault[] => faultsOf(checkContacts, input, 'contacts');
