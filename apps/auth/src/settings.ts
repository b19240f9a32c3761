/** The settings of this service. */
import { DatabaseSettings, Setting } from '@ams/service';
import { IsInt, Max, Min } from 'class-validator';

export class AuthSettings extends DatabaseSettings {
  @Setting(
    'API_LIMIT_PER_MINUTE',
    'How many authenticated requests of an organization are admitted in one window of the v1 API.',
  )
  @IsInt()
  @Min(1)
  @Max(1_000_000)
  apiLimit: number = 300;

  @Setting(
    'API_LIMIT_WINDOW_SECONDS',
    'How long such a window is. It begins with the first request after the last one has ended.',
  )
  @IsInt()
  @Min(1)
  @Max(86_400)
  apiLimitWindowSeconds: number = 60;

  @Setting('API_KEYS_PER_DAY', 'How many API keys an organization can create by way of the API in any 24 hours.')
  @IsInt()
  @Min(1)
  @Max(100_000)
  apiKeysPerDay: number = 10;

  @Setting(
    'ADMISSION_TIMEOUT_MS',
    'How long a request may wait to be admitted; after that the caller is told to try again.',
  )
  @IsInt()
  @Min(100)
  @Max(30_000)
  admissionTimeoutMs: number = 2000;

  @Setting(
    'ADMISSION_QUEUE',
    'How many requests may wait to be admitted at once; those over it are told to try again at once.',
  )
  @IsInt()
  @Min(100)
  @Max(1_000_000)
  admissionQueue: number = 10_000;
}
