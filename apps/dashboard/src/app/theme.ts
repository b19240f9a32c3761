/**
 * Mantine's tokens, set once: 14 px, dense, one accent. Severities have colours of their own, in ui/severity.module.css.
 * `visibleFrom` and responsive style props of Mantine work; prefer media queries in CSS modules.
 */
import { createTheme, type MantineColorsTuple } from '@mantine/core';
import { texts } from '../texts/texts.js';

const accent: MantineColorsTuple = [
  '#eef0ff',
  '#dde1fb',
  '#b9c0f2',
  '#929dea',
  '#717fe3',
  '#5b6cdf',
  '#4f60d6',
  '#4151be',
  '#3948aa',
  '#2e3d96',
];

/** Mantine's, with darker dark shades: shade 7 is the colour of texts on white, which needs a contrast of 4.5:1. */
const red: MantineColorsTuple = [
  '#fff5f5',
  '#ffe3e3',
  '#ffc9c9',
  '#ffa8a8',
  '#ff8787',
  '#ff6b6b',
  '#fa5252',
  '#c92a2a',
  '#b02525',
  '#941f1f',
];

/** A header within a dialog is not that of the page. */
const noBanner = { header: { role: 'none' } };

export const theme = createTheme({
  primaryColor: 'accent',
  primaryShade: { light: 7, dark: 5 },
  colors: { accent, red },
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", "Cascadia Mono", "DejaVu Sans Mono", monospace',
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.25rem' },
  lineHeights: { xs: '1.35', sm: '1.4', md: '1.45', lg: '1.5', xl: '1.5' },
  spacing: { xs: '0.375rem', sm: '0.5rem', md: '0.75rem', lg: '1rem', xl: '1.5rem' },
  headings: {
    fontWeight: '600',
    sizes: { h1: { fontSize: '1.25rem' }, h2: { fontSize: '1rem' }, h3: { fontSize: '0.875rem' } },
  },
  defaultRadius: 'sm',
  respectReducedMotion: true,
  autoContrast: true,
  cursorType: 'pointer',
  components: {
    Button: { defaultProps: { size: 'xs' } },
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray' } },
    Tooltip: { defaultProps: { openDelay: 300, withinPortal: true } },
    TextInput: { defaultProps: { size: 'sm' } },
    Select: { defaultProps: { size: 'sm' } },
    MultiSelect: { defaultProps: { size: 'sm' } },
    Textarea: { defaultProps: { size: 'sm' } },
    Modal: {
      defaultProps: { centered: true, closeButtonProps: { 'aria-label': texts.ui.close }, attributes: noBanner },
    },
    Drawer: { defaultProps: { closeButtonProps: { 'aria-label': texts.ui.close }, attributes: noBanner } },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': texts.ui.close } } },
  },
});
