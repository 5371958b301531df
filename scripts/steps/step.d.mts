export class StepError extends Error {
  readonly output: string
  constructor(message: string, output?: string)
}
export function step<T>(title: string, work: () => Promise<T>): Promise<T>
export function runSteps(
  work: () => Promise<void>,
  explain?: (error: unknown) => string | null,
): Promise<void>
