import { join } from 'node:path';
import { stylesOf } from '../../build/mantine-styles.mjs';

it('the styles of components in use are built, also of those inside others, in the order of Mantine', () => {
  const styles = stylesOf(join(import.meta.dirname, '..'));
  expect(styles.slice(0, 3)).toEqual(['baseline', 'default-css-variables', 'global']);
  for (const used of ['UnstyledButton', 'Button', 'Menu', 'Input', 'PasswordInput', 'ModalBase', 'Notification']) {
    expect(styles).toContain(used);
  }
  expect(styles.indexOf('UnstyledButton')).toBeLessThan(styles.indexOf('Button'));
  expect(styles).not.toContain('Stepper');
});
