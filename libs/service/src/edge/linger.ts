/**
 * How a connection ends whose request was answered before its body had arrived, for example with 401: the rest of the
 * body is read and dropped for some time. An immediate close would reset the connection, and a caller that is still
 * sending would never see the answer. The answer says `Connection: close`, so a caller that has read it closes the
 * connection itself.
 *
 * A connection on which hardly anything arrives stays for longer. A caller that only wants to hold connections opens a
 * new one for each that is closed, which costs more than to hold it. While there are many connections, it stays longer
 * still, and nothing is read from it. At a limit it is closed earlier, before all others that wait (`Connections`).
 */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { connectionsOf } from './connections.js';

export const lingerMs = 1000;
const lingerBytes = 8 * 1024 * 1024;
/** Not the same for all: those who came at once shall not come back at once. */
const slowLingerMs = (): number => 5000 + Math.random() * 10_000;
const unreadLingerMs = (): number => 30_000 + Math.random() * 60_000;
/** With the head. What was read is not counted as memory of bodies any more, so it is little. */
const slowBytes = 4096;
/** Node's code for a request that did not arrive in time. */
const timedOut = 'ERR_HTTP_REQUEST_TIMEOUT';

/** Calls `end` once: when the body has arrived, the caller has closed its side, or after some time or some bytes. */
export function linger(request: IncomingMessage, end: () => void): void {
  const { socket } = request;
  if (socket.readableEnded) return end();
  if (staysUnread(socket)) return stayUnread(socket, end);
  const connections = connectionsOf(socket);
  let isSlow = socket.bytesRead < slowBytes && !connections?.isStopping;
  let timer = setTimeout(over, isSlow ? slowLingerMs() : lingerMs);
  let left = lingerBytes;
  let isOver = false;
  for (const event of ['end', 'close']) request.once(event, over);
  socket.once('end', over);
  request.on('data', dropped);
  connections?.lingers(socket, over);
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
    // A listener that is removed while its event is emitted is still called.
    if (isOver) return;
    isOver = true;
    connections?.lingersNoMore(socket);
    clearTimeout(timer);
    for (const event of ['end', 'close']) request.off(event, over);
    socket.off('end', over);
    request.off('data', dropped);
    end();
  }
}

/** Ends a connection after an answer to bytes that are no request: at once, unless there are many connections. */
export function endAfterAnswer(socket: Socket): void {
  if (staysUnread(socket)) stayUnread(socket, () => socket.destroySoon());
  else socket.destroySoon();
}

/**
 * Whether the error of the HTTP parser belongs to a connection that only lingers, which gets no second answer. It ends,
 * unless the error says that the request did not arrive in time.
 */
export function isOfLingering(error: Error & { code?: string }, socket: Socket): boolean {
  const connections = connectionsOf(socket);
  if (connections === undefined || !connections.isLingering(socket)) return false;
  if (error.code !== timedOut) connections.endLingering(socket);
  return true;
}

function staysUnread(socket: Socket): boolean {
  const connections = connectionsOf(socket);
  if (connections === undefined || connections.isStopping || socket.readableEnded) return false;
  return connections.areMany && socket.bytesRead < slowBytes;
}

function stayUnread(socket: Socket, end: () => void): void {
  const connections = connectionsOf(socket);
  socket.pause();
  const timer = setTimeout(over, unreadLingerMs());
  socket.once('close', over);
  connections?.lingers(socket, over);

  function over(): void {
    connections?.lingersNoMore(socket);
    clearTimeout(timer);
    socket.off('close', over);
    end();
  }
}
