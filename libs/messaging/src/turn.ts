/**
 * A system call for each message would cost more than the rest of a request. Messages that are published in one turn of
 * the event loop are sent in one write, because the NATS client joins what it gets without a pause.
 */
let waiting: (() => void)[] = [];
let finishing = false;

/** Does `work` at the end of this turn of the event loop, or immediately when the turn is already ending. */
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
