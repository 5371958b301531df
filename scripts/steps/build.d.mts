export function buildCommandLineIfOld(): Promise<string | undefined>
