/** What must hold on every page, whatever is written there. */
import type { Visitor } from './visitor.js';

/**
 * Faults of the page that is shown: it is wider than the screen, a text has become a part of it, or a short word has no
 * room on one line.
 */
export async function faultsOf({ page }: Visitor): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    const { scrollWidth } = document.scrollingElement;
    const faults = scrollWidth > innerWidth ? ['is ' + scrollWidth + ' px wide, not ' + innerWidth] : [];
    if (document.querySelector('img[src="x"]')) faults.push('has an element of a text');
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    while (texts.nextNode()) {
      const word = texts.currentNode.data.trim();
      if (!/^[A-Za-z]{2,12}$/.test(word)) continue;
      range.selectNodeContents(texts.currentNode);
      const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
      if (lines.size > 1) faults.push('breaks the word ' + word);
    }
    return faults;
  })()`);
}

/** The pages that have faults, with the faults. */
export async function faultyPages(
  visitor: Visitor,
  paths: readonly string[],
  look: (visitor: Visitor) => Promise<string[]>,
): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const path of paths) {
    await visitor.open(path);
    const faults = await look(visitor);
    if (faults.length > 0) found[path] = faults;
  }
  return found;
}
