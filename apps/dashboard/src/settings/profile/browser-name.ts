/** `Firefox on Linux`: what a person recognizes in the name that a browser gives itself. Null when nothing is known. */
export function browserName(userAgent: string | null): string | null {
  if (userAgent === null) return null;
  const browser = browsers.find(([, form]) => form.test(userAgent))?.[0];
  const system = systems.find(([, form]) => form.test(userAgent))?.[0];
  return browser === undefined ? null : system === undefined ? browser : `${browser} on ${system}`;
}

/** The first that matches: most browsers also name those that they descend from. */
const browsers: [string, RegExp][] = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS|Chromium)\//],
  ['Safari', /\bSafari\//],
  ['curl', /^curl\//],
];
const systems: [string, RegExp][] = [
  ['Android', /\bAndroid\b/],
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
];
