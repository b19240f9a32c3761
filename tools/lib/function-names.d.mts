/** `text`: an ES module that esbuild has written. */
export function withoutNeedlessNames(text: string): string;
