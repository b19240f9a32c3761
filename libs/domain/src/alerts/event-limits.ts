/**
 * The limits of the parts of one event. No alert is lost for its length: a text over its limit is cut, entries beyond
 * the number are left out, and a warning reports it.
 */
export const eventLimits = {
  /** Characters. */
  title: 1_024,
  /** Characters. */
  source: 1_024,
  /** Bytes in UTF-8. */
  descriptionBytes: 32 * 1_024,
  /** Number. */
  labels: 64,
  /** Number. */
  annotations: 64,
  /** Characters of a label's or an annotation's key. */
  key: 256,
  /** Bytes in UTF-8 of a label's value. */
  labelBytes: 1_024,
  /** Bytes in UTF-8 of an annotation's value. */
  annotationBytes: 8 * 1_024,
  /** Bytes in UTF-8 of the values of all annotations together. They are in every change of the alert. */
  allAnnotationBytes: 64 * 1_024,
  /** Alerts in one payload. */
  items: 1_000,
} as const;
