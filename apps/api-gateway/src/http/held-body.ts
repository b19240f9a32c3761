/** Counts a body that arrives, and ends its request when there are too many, or too many bytes (`Bodies`). */
import type { Bodies } from '@ams/service';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** `sender`: whose body it is. For the hook `preParsing`: Fastify begins to read afterwards. */
export function holdBody(bodies: Bodies, sender: string, request: FastifyRequest, reply: FastifyReply): void {
  const { raw } = request;
  const held = bodies.begin(sender, request.id, (fault) => {
    if (!reply.answered) reply.header('connection', 'close').send(fault);
  });
  raw.on('data', (chunk: Buffer) => held.add(chunk.length));
  raw.once('end', () => held.complete());
  reply.raw.once('close', () => held.end());
}
