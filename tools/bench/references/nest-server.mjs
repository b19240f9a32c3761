// Nest on Fastify alone: a GET with a parameter and a query that class-validator checks, and nothing behind it.
import 'reflect-metadata';
import { Controller, Get, Module, Param, Query, ValidationPipe } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { IsInt, IsOptional, IsString, Max, Min } from 'class-validator';
import { Type } from 'class-transformer';

const decorate = (decorators, target, key) => {
  const descriptor = Object.getOwnPropertyDescriptor(target, key);
  for (const decorator of decorators) decorator(target, key, descriptor);
};

class HelloQuery {}
for (const decorator of [IsOptional(), Type(() => Number), IsInt(), Min(1), Max(100)]) decorator(HelloQuery.prototype, 'limit');
for (const decorator of [IsOptional(), IsString()]) decorator(HelloQuery.prototype, 'q');

class Hello {
  healthz() {
    return { status: 'ok' };
  }

  hello(id, query) {
    return { data: { id, title: 'High CPU on web-01', severity: 'high', status: 'firing', limit: query.limit ?? 50, labels: { host: 'web-01', region: 'eu' } } };
  }
}
Controller()(Hello);
decorate([Get('healthz')], Hello.prototype, 'healthz');
decorate([Get('hello/:id')], Hello.prototype, 'hello');
Param('id')(Hello.prototype, 'hello', 0);
Query()(Hello.prototype, 'hello', 1);
Reflect.defineMetadata('design:paramtypes', [String, HelloQuery], Hello.prototype, 'hello');

class Application {}
Module({ controllers: [Hello] })(Application);

const app = await NestFactory.create(Application, new FastifyAdapter(), { logger: false });
app.useGlobalPipes(new ValidationPipe({ whitelist: true, transform: true }));
await app.listen(Number(process.argv[2]), '127.0.0.1');
