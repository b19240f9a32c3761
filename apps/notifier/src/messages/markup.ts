/** HTML templates: every value is escaped, unless it was made by `html` too. */

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

/** `html`<p>${text}</p>``: text is escaped, lists are joined, `null` is empty. Attributes need double quotes. */
export const html = (text: TemplateStringsArray, ...contents: Content[]): Markup =>
  new Markup(text.reduce((written, part, index) => `${written}${write(contents[index - 1] ?? null)}${part}`));
