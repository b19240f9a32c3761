// Plain Fastify with a schema: the maximum of one Node process for the same request and a response of the same form.
import Fastify from 'fastify';

const text = { type: 'string', maxLength: 1024 };
const texts = { type: 'object', additionalProperties: text };
const server = Fastify();
server.get('/healthz', () => ({ status: 'ok' }));
server.post(
  '/alerts',
  {
    schema: {
      body: {
        type: 'object',
        required: ['title', 'severity'],
        properties: {
          title: text,
          severity: { enum: ['critical', 'high', 'medium', 'low', 'info'] },
          status: text,
          source: text,
          description: text,
          fingerprint: text,
          labels: texts,
          annotations: texts,
        },
      },
      response: {
        202: {
          type: 'object',
          properties: {
            data: {
              type: 'object',
              properties: {
                events: {
                  type: 'array',
                  items: {
                    type: 'object',
                    properties: { id: text, fingerprint: text, warnings: { type: 'array', items: text } },
                  },
                },
                receivedAt: text,
              },
            },
          },
        },
      },
    },
  },
  (request, reply) =>
    reply.code(202).send({
      data: {
        events: [{ id: 'evt_01938f3a7c2e7d4ab1c2d3e4f5061728', fingerprint: request.body.fingerprint, warnings: [] }],
        receivedAt: new Date().toISOString(),
      },
    }),
);
await server.listen({ host: '127.0.0.1', port: Number(process.argv[2]) });
