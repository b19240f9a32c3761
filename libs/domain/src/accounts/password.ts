/**
 * The rule for new passwords: long enough, not the address of the person, and none that many people use. There is no
 * rule about kinds of characters, and passwords do not expire (NIST SP 800-63B).
 */
import type { SettingsFault } from '../validation/check.js';

/** In characters. The upper limit bounds the work of hashing. */
export const passwordLimits = { shortest: 12, longest: 256 } as const;

/**
 * Passwords of twelve and more characters that lists of leaked passwords have in their first places, and beginnings of
 * words which people make long enough with digits or repetitions. All are in lower case.
 */
const common: ReadonlySet<string> = new Set(
  `123456789012 1234567890123 12345678901234 123456789123 1234567891234 0123456789012 012345678910 123123123123
   111111111111 000000000000 121212121212 112233445566 123454321234 987654321098 147258369147 123qweasdzxc
   1q2w3e4r5t6y 1q2w3e4r5t6y7u 1q2w3e4r5t6y7u8i qwertyuiop12 qwertyuiop123 qwertyuiop1234 qwertyuiopas qwertyuiopasdf
   qwerty123456 qwerty1234567 qwerty12345678 qwertyqwerty qwerty qwertyuiop asdfghjkl123 asdfghjkl1234 asdfghjklqwerty
   1qaz2wsx3edc 1qaz2wsx3edc4rfv zaq12wsxcde3 zaq1xsw2cde3 qazwsxedcrfv qazwsxedc123 abcdefghijkl abcdefghijklm
   abcdefghijklmnop abcd12345678 abc123456789 abc123abc123 a1b2c3d4e5f6 a123456789012 passwordpassword password1234
   password12345 password123456 password1234567 password12345678 password123! password1234! password2024 password2025
   password2026 passw0rd1234 p@ssw0rd1234 p@ssword1234 mypassword12 mypassword123 thisismypassword letmeinletmein
   letmein12345 letmein123456 iloveyou1234 iloveyou12345 iloveyouforever iloveyousomuch welcome12345 welcome123456
   welcomewelcome administrator admin1234567 admin12345678 adminadminadmin administrator1 administrator123 changemenow
   changemechangeme changeme1234 changeme12345 superman1234 batman123456 football1234 baseball1234 basketball12
   princess1234 sunshine1234 monkey123456 dragon123456 master123456 michael12345 jennifer1234 liverpool123 chelsea12345
   starwars1234 pokemon12345 computer1234 internet1234 secret123456 secretsecret trustno1trustno1 correcthorsebatterystaple
   mustang12345 jordan123456 charlie12345 shadow123456 whatever1234 ilovemyfamily iloveyou123456 loveyouforever
   samsung12345 google123456 facebook1234 instagram123 minecraft123 fuckyou12345 fuckyou123456`.split(/\s+/),
);

/** `aaaaaaaaaaaa`, `abababababab`: one or two characters only. */
const isMonotonous = (password: string): boolean => new Set(password).size <= 2;

/** Every error of a new password. `email`: the address of the account; null when it is not known yet. */
export function passwordFaults(
  password: string,
  { path, email }: { path: string; email: string | null },
): SettingsFault[] {
  const length = [...password].length;
  const fault = (rule: string, message: string): SettingsFault[] => [{ path, rule, message }];
  if (length < passwordLimits.shortest)
    return fault('minLength', `must have at least ${passwordLimits.shortest} characters`);
  if (length > passwordLimits.longest)
    return fault('maxLength', `must have at most ${passwordLimits.longest} characters`);
  const lowered = password.normalize('NFKC').toLowerCase().trim();
  if (email !== null && (lowered === email.toLowerCase() || lowered === email.toLowerCase().split('@')[0]))
    return fault('notEmail', 'must not be the e-mail address');
  if (common.has(lowered) || isMonotonous(lowered))
    return fault('notCommon', 'must not be a password that many people use');
  return [];
}
