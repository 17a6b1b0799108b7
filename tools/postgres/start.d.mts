export function startPostgres(options: { folder: string }): Promise<{ url: string; stop(): Promise<void> }>;
