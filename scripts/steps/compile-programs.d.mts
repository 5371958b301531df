import type { BuildOptions } from 'esbuild'

export const compilerOptions: BuildOptions
export function compilePrograms(entryPoints: string[], folder: string): Promise<void>
