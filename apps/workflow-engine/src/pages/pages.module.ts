import { Module } from '@nestjs/common';
import { JobsModule } from '../jobs/jobs.module.js';
import { PageCatchAll } from './page-catch-all.js';
import { PageMetrics } from './page-metrics.js';
import { PagesController } from './pages.controller.js';
import { PagesService } from './pages.service.js';
import { PageReconciler } from './reconciler.js';

@Module({
  imports: [JobsModule],
  controllers: [PagesController],
  providers: [PagesService, PageCatchAll, PageReconciler, PageMetrics],
})
export class PagesModule {}
