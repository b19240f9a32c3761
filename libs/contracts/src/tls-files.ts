/**
 * The files, in PEM, for TLS to NATS or PostgreSQL. With them a server without TLS is refused, and so is one whose
 * certificate is not signed by an authority of `caFile`, or is for another name.
 */
export interface TlsFiles {
  /** The certificates of the authorities that may sign the certificate of the server. */
  caFile: string;
  /** The certificate that the client shows, with the intermediate ones. */
  certFile?: string | undefined;
  /** The private key of this certificate. */
  keyFile?: string | undefined;
}
