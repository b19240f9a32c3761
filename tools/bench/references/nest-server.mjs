// Nest on Fastify without a database: a request whose alert class-validator validates, and one that reads an alert.
import 'reflect-metadata';
import { Body, Controller, Get, HttpCode, Module, Param, Post, Query, ValidationPipe } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Type } from 'class-transformer';
import { IsIn, IsInt, IsNotEmpty, IsObject, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';

const check = (dto, property, ...decorators) => decorators.forEach((decorator) => decorator(dto.prototype, property));

class PostAlert {}
check(PostAlert, 'title', IsString(), IsNotEmpty(), MaxLength(1024));
check(PostAlert, 'severity', IsIn(['critical', 'high', 'medium', 'low', 'info']));
for (const property of ['status', 'source', 'description', 'fingerprint'])
  check(PostAlert, property, IsOptional(), IsString(), MaxLength(1024));
for (const property of ['labels', 'annotations']) check(PostAlert, property, IsOptional(), IsObject());

class AlertQuery {}
check(
  AlertQuery,
  'limit',
  IsOptional(),
  Type(() => Number),
  IsInt(),
  Min(1),
  Max(100),
);

class Alerts {
  healthz() {
    return { status: 'ok' };
  }

  post(body) {
    return {
      data: {
        events: [{ id: 'evt_01938f3a7c2e7d4ab1c2d3e4f5061728', fingerprint: body.fingerprint, warnings: [] }],
        receivedAt: new Date().toISOString(),
      },
    };
  }

  get(id, query) {
    return {
      data: {
        id,
        title: 'High CPU on web-01',
        severity: 'high',
        status: 'firing',
        limit: query.limit ?? 50,
        labels: { host: 'web-01', region: 'eu' },
      },
    };
  }
}
const decorate = (key, ...decorators) =>
  decorators.forEach((decorator) =>
    decorator(Alerts.prototype, key, Object.getOwnPropertyDescriptor(Alerts.prototype, key)),
  );
Controller()(Alerts);
decorate('healthz', Get('healthz'));
decorate('post', Post('alerts'), HttpCode(202));
decorate('get', Get('alerts/:id'));
Body()(Alerts.prototype, 'post', 0);
Param('id')(Alerts.prototype, 'get', 0);
Query()(Alerts.prototype, 'get', 1);
Reflect.defineMetadata('design:paramtypes', [PostAlert], Alerts.prototype, 'post');
Reflect.defineMetadata('design:paramtypes', [String, AlertQuery], Alerts.prototype, 'get');

class Application {}
Module({ controllers: [Alerts] })(Application);

const app = await NestFactory.create(Application, new FastifyAdapter(), { logger: false });
app.useGlobalPipes(new ValidationPipe({ whitelist: true, transform: true }));
await app.listen(Number(process.argv[2]), '127.0.0.1');
