export function compilePrograms(entryPoints: string[], folder: string): Promise<void>
