/**
 * The address of a page is the state of its lists. It has the form of the API's queries: `status=firing,acknowledged`,
 * and `label=region:eu&label=host:a,b`, because values of labels may contain commas. Everything is text here; each
 * route takes what it knows with `searchOf`.
 */
export type RawSearch = Record<string, string | string[] | undefined>;

/** Parameters that are repeated in place of being separated by commas. */
const repeated = new Set(['label']);

export function parseSearch(text: string): RawSearch {
  const search: Record<string, string | string[]> = {};
  for (const name of new Set(new URLSearchParams(text).keys())) {
    const values = new URLSearchParams(text).getAll(name);
    search[name] = repeated.has(name) ? values : values.join(',');
  }
  return search;
}

export function writeSearch(search: Record<string, unknown>): string {
  const parts: string[] = [];
  for (const [name, value] of Object.entries(search)) {
    if (value === undefined || value === null || value === '') continue;
    const values = !Array.isArray(value) ? [String(value)] : repeated.has(name) ? value.map(String) : [value.join(',')];
    for (const each of values) if (each !== '') parts.push(`${encodeURIComponent(name)}=${encoded(each)}`);
  }
  return parts.length === 0 ? '' : `?${parts.join('&')}`;
}

/** As readable as a URL may be. */
const encoded = (value: string): string =>
  encodeURIComponent(value).replace(/%(2C|3A|21|2F|40)/g, (code) => decodeURIComponent(code));

type Reader<T> = (value: string | string[] | undefined) => T | undefined;

const oneText = (value: string | string[] | undefined): string | undefined =>
  (Array.isArray(value) ? value.at(-1) : value) || undefined;

export const one: Reader<string> = oneText;

/** Values separated by commas. */
export const many: Reader<string[]> = (value) => {
  const all = (Array.isArray(value) ? value : (value?.split(',') ?? [])).filter((each) => each !== '');
  return all.length === 0 ? undefined : all;
};

/** One of these words; anything else is as if it were not there. */
export const oneOf =
  <const Word extends string>(words: readonly Word[]): Reader<Word> =>
  (value) =>
    words.find((word) => word === oneText(value));

/** Some of these words. */
export const someOf =
  <const Word extends string>(words: readonly Word[]): Reader<Word[]> =>
  (value) => {
    const known = many(value)?.filter((each): each is Word => (words as readonly string[]).includes(each));
    return known === undefined || known.length === 0 ? undefined : known;
  };

/** A `validateSearch` of a route: an address with unknown or wrong parameters opens the page without them. */
export const searchOf =
  <Readers extends Record<string, Reader<unknown>>>(readers: Readers) =>
  (raw: Record<string, unknown>): { [Name in keyof Readers]?: Exclude<ReturnType<Readers[Name]>, undefined> } => {
    const search: Record<string, unknown> = {};
    for (const [name, reader] of Object.entries(readers)) {
      const value = reader(raw[name] as string | string[] | undefined);
      if (value !== undefined) search[name] = value;
    }
    return search as { [Name in keyof Readers]?: Exclude<ReturnType<Readers[Name]>, undefined> };
  };
