export const SERVER_PACKAGE: string
export const SERVER_FOLDER: string
export const IMPORTERS: string[]
export function compileServer(): Promise<void>
export function compileAgain(): Promise<void>
export function entriesOfImports(): Record<string, string>
