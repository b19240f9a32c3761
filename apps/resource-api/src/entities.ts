/** The tables of this service that are read and written a record at a time. */
export const entities: (new () => object)[] = [];
