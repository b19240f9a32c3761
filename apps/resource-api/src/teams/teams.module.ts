import { Module } from '@nestjs/common';
import { TeamMembership } from './team-membership.js';
import { TeamMembershipController } from './team-membership.controller.js';
import { TeamsController } from './teams.controller.js';
import { TeamsService } from './teams.service.js';

@Module({ controllers: [TeamsController, TeamMembershipController], providers: [TeamsService, TeamMembership] })
export class TeamsModule {}
