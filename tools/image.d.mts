export interface Image {
  entry: string;
  health?: { variable: string; port: number };
}
/** The images that docker/Dockerfile makes, by the value of its argument APP. */
export const images: Record<string, Image>;
