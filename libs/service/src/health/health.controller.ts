/**
 * `/healthz`: the process runs. `/livez`: 503 when a consumer no longer tries to work, so that a restart is needed.
 * `/readyz`: 200 when the service is ready and its consumers make progress, otherwise 503 with the errors. `/metrics`:
 * for Prometheus.
 */
import { Controller, Get, Header } from '@nestjs/common';
import { HealthCheck, HealthCheckService, type HealthCheckResult } from '@nestjs/terminus';
import { Metrics } from '../metrics.js';
import { ServiceName } from '../platform/service-name.js';
import { Liveness } from './liveness.js';
import { Readiness } from './readiness.js';

@Controller()
export class HealthController {
  constructor(
    private readonly name: ServiceName,
    private readonly metricsRegistry: Metrics,
    private readonly health: HealthCheckService,
    private readonly readiness: Readiness,
    private readonly liveness: Liveness,
  ) {}

  @Get('healthz')
  alive(): { status: 'ok'; service: string } {
    return { status: 'ok', service: this.name.value };
  }

  @Get('livez')
  @HealthCheck({ swaggerDocumentation: false })
  live(): Promise<HealthCheckResult> {
    return this.health.check(this.liveness.functions);
  }

  @Get('readyz')
  @HealthCheck({ swaggerDocumentation: false })
  ready(): Promise<HealthCheckResult> {
    return this.health.check(this.readiness.functions);
  }

  @Get('metrics')
  @Header('Content-Type', 'text/plain; version=0.0.4; charset=utf-8')
  metrics(): Promise<string> {
    return this.metricsRegistry.registry.metrics();
  }
}
