/** A title such as `@everyone` must mention nobody: a zero-width space after the @ prevents it. */
export const mentionless = (text: string): string => text.replace(/@/g, '@\u200b');
