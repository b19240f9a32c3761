/** The settings of this service. */
import { DatabaseSettings, Setting } from '@ams/service';
import { IsInt, Max, Min } from 'class-validator';

export class AuthSettings extends DatabaseSettings {
  @Setting(
    'API_LIMIT_PER_MINUTE',
    'The maximum number of authenticated requests of an organization to the v1 API in one window.',
  )
  @IsInt()
  @Min(1)
  @Max(1_000_000)
  apiLimit: number = 300;

  @Setting(
    'API_LIMIT_WINDOW_SECONDS',
    'The length of this window in seconds. It begins with the first request after the previous window.',
  )
  @IsInt()
  @Min(1)
  @Max(86_400)
  apiLimitWindowSeconds: number = 60;

  @Setting(
    'API_KEYS_PER_DAY',
    'The maximum number of API keys that an organization can create with the API in 24 hours.',
  )
  @IsInt()
  @Min(1)
  @Max(100_000)
  apiKeysPerDay: number = 10;

  @Setting(
    'ADMISSION_TIMEOUT_MS',
    'How long in milliseconds a request may wait for its admission. After it the caller gets 503.',
  )
  @IsInt()
  @Min(100)
  @Max(30_000)
  admissionTimeoutMs: number = 2000;

  @Setting(
    'ADMISSION_QUEUE',
    'The maximum number of requests that wait for their admission. Above it callers get 503 immediately.',
  )
  @IsInt()
  @Min(100)
  @Max(1_000_000)
  admissionQueue: number = 10_000;
}
