const format = /* @__PURE__ */ new Intl.NumberFormat('en');

/** `1,671`. A format that is kept is many times faster than `toLocaleString`. */
export const numberText = (value: number): string => format.format(value);
