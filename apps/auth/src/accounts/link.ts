/** The token is behind `#`, so browsers send it to no server, and no log has it. */
export const linkTo = (publicUrl: string, page: string, token: string): string =>
  `${publicUrl.replace(/\/+$/, '')}/${page}#${token}`;
