import { number, printTable } from './print-table'

type Goal = { what: string; limit: string; measured: string; isMet: boolean }

const goals: Goal[] = []

/** Notes a figure of this benchmark that has a goal: at most `most`. */
export function noteGoal(what: string, measured: number, most: number, unit = 'x'): void {
  const limit = `at most ${withUnit(most, unit)}`
  goals.push({ what, limit, measured: shown(measured, unit), isMet: measured <= most })
}

/** Notes a figure of this benchmark that has a goal: at least `least`. */
export function noteLeast(what: string, measured: number, least: number): void {
  const limit = `at least ${least}`
  goals.push({ what, limit, measured: number(measured), isMet: measured >= least })
}

/** Prints the goals beside what was measured. Nothing fails when one is missed. */
export function printGoals(): void {
  console.log(
    '\nGoals: ratios are to the CPU of the loop with the global `fetch`, in the same run\n',
  )
  printTable(
    ['goal', 'limit', 'measured', 'result'],
    goals.map(({ what, limit, measured, isMet }) => [
      what,
      limit,
      measured,
      isMet ? 'met' : 'missed',
    ]),
  )
}

function shown(value: number, unit: string): string {
  return withUnit(Number(number(value)), unit)
}

function withUnit(value: number, unit: string): string {
  if (unit === '') return String(value)
  return unit === 'x' ? `${value.toFixed(2)}x` : `${value} ${unit}`
}
