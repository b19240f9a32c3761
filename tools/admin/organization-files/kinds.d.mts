export interface Kind {
  kind: string;
  table: string;
  columns: string[];
  leftOut?: Record<string, string>;
  order: string[];
  later?: string;
  global?: { column: string; what: string; with?: string[] }[];
  history?: boolean;
  monthly?: string;
}

export const kinds: Kind[];
export const dataKeyKind: Pick<Kind, 'kind' | 'table' | 'columns'>;
/** Tables that are not in the file, with the reason. */
export const notExported: Record<string, string>;
