export function natsPasswordsOf(natsUrl: string, file: string | undefined): Promise<Record<string, string>>;
