export function beginTestRun(): void
