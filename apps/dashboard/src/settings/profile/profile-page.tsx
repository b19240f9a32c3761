import { About } from './about.js';
import { Appearance } from './appearance.js';
import { Devices } from './devices.js';
import { OwnSessions } from './own-sessions.js';
import { Password } from './password.js';
import { TwoFactor } from './two-factor.js';
import { Passkeys } from './passkeys.js';
import styles from './profile.module.css';

/** What a member sets for themselves, with any role. */
export const ProfilePage = () => (
  <div className={styles.page}>
    <About />
    <Devices />
    <Appearance />
    <Password />
    <TwoFactor />
    <Passkeys />
    <OwnSessions />
  </div>
);
