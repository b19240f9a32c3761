import {
  getProfile,
  updateProfile,
  type Input,
  type MemberRecord,
  type NoQuery,
  type PutProfile,
} from '@ams/contracts';
import { Handles } from '@ams/messaging';
import { Controller } from '@nestjs/common';
import { ProfileService } from './profile.service.js';

@Controller()
export class ProfileController {
  constructor(private readonly profile: ProfileService) {}

  @Handles(getProfile)
  get(input: Input<NoQuery, undefined>): Promise<MemberRecord> {
    return this.profile.get(input);
  }

  @Handles(updateProfile)
  update(input: Input<NoQuery, PutProfile>): Promise<MemberRecord> {
    return this.profile.update(input);
  }
}
