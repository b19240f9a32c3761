/** The slug of an organization: commands find the organization by it. */
import { invalid } from '@ams/contracts';
import { isOrganizationSlug, maxOrganizationSlugLength, organizationSlugOf } from '@ams/domain';

/** `Ship & Sail GmbH` -> `ship-sail-gmbh`. Throws VALIDATION_ERROR. */
export function slugOf(name: string): string {
  const slug = organizationSlugOf(name);
  if (slug === '') throw invalid('name', 'letters', 'The name of an organization needs a letter or a digit.');
  return slug;
}

/** The slug as the operator writes it. Throws VALIDATION_ERROR. */
export function slugFrom(text: string): string {
  const slug = text.normalize('NFC');
  if (!isOrganizationSlug(slug)) {
    const form = 'write small letters and digits, with hyphens between, such as ship-sail';
    throw invalid('slug', 'form', `"${text}" is not a slug: ${form}.`);
  }
  if (slug.length > maxOrganizationSlugLength) {
    throw invalid('slug', 'maxLength', `The slug has more than ${maxOrganizationSlugLength} characters.`);
  }
  return slug;
}
