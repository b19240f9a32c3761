/** What must hold on every page, whatever is written there. */
import type { Visitor } from './visitor.js';

/** Faults of the page that is shown: it is wider than the screen, or a text has become a part of it. */
export async function faultsOf({ page }: Visitor): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    const { scrollWidth } = document.scrollingElement;
    const faults = scrollWidth > innerWidth ? ['is ' + scrollWidth + ' px wide, not ' + innerWidth] : [];
    if (document.querySelector('img[src="x"]')) faults.push('has an element of a text');
    return faults;
  })()`);
}

/**
 * What can be pressed on a phone and is smaller than a finger needs. Links within a text, marks of chosen values and the
 * steps of a number are left out: the text, the list and the keyboard do the same.
 */
export async function smallTargetsOf({ page }: Visitor): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    const pressed = 'button, [role="tab"], input, select, textarea, nav a';
    const leftOut = '.mantine-Pill-root, .mantine-Pill-root *, .mantine-NumberInput-control, [data-hidden]';
    const boxOf = (element) => {
      const label = element.matches('[type=checkbox], [type=radio]') && element.labels?.[0];
      const boxes = [element, ...(label ? [label.closest('[class*=-body]') ?? label] : [])].map((each) => each.getBoundingClientRect());
      const before = getComputedStyle(element, '::before');
      const around = before.position === 'absolute' ? -2 * parseFloat(before.top || '0') : 0;
      return { height: Math.max(...boxes.map(({ height }) => height)) + Math.max(0, around || 0), width: boxes[0].width };
    };
    return [...document.querySelectorAll(pressed)]
      .filter((element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !element.matches(leftOut))
      .map((element) => ({ element, ...boxOf(element) }))
      .filter(({ width, height }) => width > 1 && height > 1 && height < 43.5)
      .map(({ element, height }) => Math.round(height) + ' px: ' + element.outerHTML.slice(0, 160));
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
