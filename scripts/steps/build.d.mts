export function compileServerIfOld(): Promise<string | undefined>
