export function compileServerIfOld(): Promise<string | undefined>
export function compileChange(): Promise<void>
