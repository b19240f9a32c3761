/**
 * How a connection ends whose request was answered before its body had arrived, for example with 401: the rest of the
 * body is read and dropped for some time. An immediate close would reset the connection, and a caller that is still
 * sending would never see the answer. The answer says `Connection: close`, so a caller that has read it closes the
 * connection itself.
 *
 * A connection on which hardly anything arrives stays for longer. A caller that only wants to hold connections opens a
 * new one for each that is closed, which costs more than to hold it. At a limit it is closed earlier, as every
 * connection that waits (`Connections`).
 */
import type { IncomingMessage } from 'node:http';

const lingerMs = 1000;
const lingerBytes = 8 * 1024 * 1024;
/** Not the same for all: those who came at once shall not come back at once. */
const slowLingerMs = (): number => 5000 + Math.random() * 10_000;
/** With the head. What was read is not counted as memory of bodies any more, so it is little. */
const slowBytes = 4096;

/** Calls `end` once: when the body has arrived, the caller has closed its side, or after some time or some bytes. */
export function linger(request: IncomingMessage, end: () => void): void {
  const { socket } = request;
  let isSlow = socket.bytesRead < slowBytes;
  let timer = setTimeout(over, isSlow ? slowLingerMs() : lingerMs);
  let left = lingerBytes;
  for (const event of ['end', 'close']) request.once(event, over);
  socket.once('end', over);
  request.on('data', dropped);
  request.resume();

  function dropped(chunk: Buffer): void {
    left -= chunk.length;
    if (left < 0) return over();
    if (!isSlow || socket.bytesRead < slowBytes) return;
    isSlow = false;
    clearTimeout(timer);
    timer = setTimeout(over, lingerMs);
  }

  function over(): void {
    clearTimeout(timer);
    for (const event of ['end', 'close']) request.off(event, over);
    socket.off('end', over);
    request.off('data', dropped);
    end();
  }
}
