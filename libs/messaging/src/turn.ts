/**
 * A system call for each message to the broker would cost more than all else that a request costs. What is published in
 * one turn of the event loop leaves in one write: the client joins what is handed to it without a pause.
 */
let waiting: (() => void)[] = [];
let finishing = false;

/** Does `work` at the end of this turn of the event loop; at once when that end is what is going on. */
export function atEndOfTurn(work: () => void): void {
  if (finishing) return work();
  if (waiting.push(work) === 1) setImmediate(finish);
}

function finish(): void {
  const all = waiting;
  waiting = [];
  finishing = true;
  try {
    for (const work of all) work();
  } finally {
    finishing = false;
  }
}
