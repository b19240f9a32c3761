/** A title such as `@everyone` must not wake a whole channel: a space without width after the @ makes it a word like any other. */
export const mentionless = (text: string): string => text.replace(/@/g, '@\u200b');
