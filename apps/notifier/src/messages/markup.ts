/** HTML that cannot be broken out of: whatever stands in a template is escaped, unless it is HTML made the same way. */

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

const escape = (text: string): string => text.replace(/[&<>"']/g, (character) => escapes[character]!);

class Markup {
  constructor(readonly text: string) {}
}

export type { Markup };

type Content = string | Markup | null | Content[];

function write(content: Content): string {
  if (content === null) return '';
  if (Array.isArray(content)) return content.map(write).join('');
  return content instanceof Markup ? content.text : escape(content);
}

/** `html`<p>${words}</p>``: words are escaped, lists are joined, `null` is nothing. Attributes have to be in double quotes. */
export const html = (text: TemplateStringsArray, ...contents: Content[]): Markup =>
  new Markup(text.reduce((written, part, index) => `${written}${write(contents[index - 1] ?? null)}${part}`));
