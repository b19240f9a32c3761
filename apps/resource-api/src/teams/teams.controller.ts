import {
  createTeam,
  deleteTeam,
  getTeam,
  listTeams,
  updateTeam,
  type Input,
  type ListTeamsQuery,
  type NoQuery,
  type Page,
  type PostTeam,
  type PutTeam,
  type Team,
} from '@ams/contracts';
import { Handles } from '@ams/messaging';
import { Controller } from '@nestjs/common';
import { TeamsService } from './teams.service.js';

@Controller()
export class TeamsController {
  constructor(private readonly service: TeamsService) {}

  @Handles(listTeams)
  list(input: Input<ListTeamsQuery, undefined>): Promise<Page<Team>> {
    return this.service.list(input);
  }

  @Handles(createTeam)
  create(input: Input<NoQuery, PostTeam>): Promise<Team> {
    return this.service.create(input);
  }

  @Handles(getTeam)
  get(input: Input<NoQuery, undefined>): Promise<Team> {
    return this.service.get(input);
  }

  @Handles(updateTeam)
  update(input: Input<NoQuery, PutTeam>): Promise<Team> {
    return this.service.update(input);
  }

  @Handles(deleteTeam)
  delete(input: Input<NoQuery, undefined>): Promise<void> {
    return this.service.delete(input);
  }
}
