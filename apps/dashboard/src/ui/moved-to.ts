/** The list with one entry moved to another place. */
export function movedTo<One>(items: readonly One[], from: number, to: number): One[] {
  const rest = items.toSpliced(from, 1);
  return items[from] === undefined ? [...items] : rest.toSpliced(to, 0, items[from]);
}
