import { teamMembershipRequest, type TeamMembershipReply, type TeamMembershipRequest } from '@ams/contracts';
import { HandlesRequest } from '@ams/messaging';
import { Controller } from '@nestjs/common';
import { TeamMembership } from './team-membership.js';

@Controller()
export class TeamMembershipController {
  constructor(private readonly membership: TeamMembership) {}

  @HandlesRequest(teamMembershipRequest)
  follow(request: TeamMembershipRequest): Promise<TeamMembershipReply> {
    return this.membership.follow(request);
  }
}
