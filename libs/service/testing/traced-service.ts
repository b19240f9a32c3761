/**
 * A service in a process of its own, for traces.spec.ts: answers one request, which is traced if traces are on, stops,
 * and prints what the process has loaded of OpenTelemetry.
 */
import { serviceRequest } from '@ams/contracts';
import { HandlesRequest, RpcClient } from '@ams/messaging';
import { beginRequest, inSpan } from '@ams/tracing';
import { Controller, Injectable, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { createRequire } from 'node:module';
import { createLogger, Metrics, readSettings, ServiceSettings, startService } from '../src/index.js';

const ping = serviceRequest<object, { answer: string }>('rpc.probe.ping');

@Controller()
class ProbeController {
  @HandlesRequest(ping)
  async ping(): Promise<{ answer: string }> {
    return { answer: 'hello' };
  }
}

let platform: { rpc: RpcClient; metrics: Metrics } | undefined;

@Injectable()
class Probe implements OnApplicationBootstrap {
  constructor(
    private readonly rpc: RpcClient,
    private readonly metrics: Metrics,
  ) {}

  onApplicationBootstrap(): void {
    platform = { rpc: this.rpc, metrics: this.metrics };
  }
}
@Module({ controllers: [ProbeController], providers: [Probe] })
class ProbeModule {}

const settings = readSettings(ServiceSettings);
const log = createLogger('probe', 'silent');
const service = await startService({ name: 'probe', settings: ServiceSettings, module: ProbeModule }, settings, log);
if (!platform) throw new Error('the service has not started');
const { rpc, metrics } = platform;
const span = beginRequest({}, () => ({ 'http.request.method': 'GET', 'http.route': '/' }));
const { answer } = await inSpan(span, () => rpc.request(ping, {}, { timeoutMs: 20_000, requestId: 'r' }));
await service.stop();
// The packages are CommonJS, so all of their files are here.
const files = Object.keys(createRequire(import.meta.url).cache).flatMap(
  (file) => /@opentelemetry\/([^/]+)\//.exec(file)?.[1] ?? [],
);
const result = { loaded: [...new Set(files)], reply: answer, metrics: await metrics.registry.metrics() };
process.stdout.write(`${JSON.stringify(result)}\n`, () => process.exit(0));
