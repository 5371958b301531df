export function commandOf(pid: number): string
export function processesWith(name: string, isWanted: (value: string) => boolean): number[]
