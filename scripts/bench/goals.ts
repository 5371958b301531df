import { number, printTable } from './print-table'

type Goal = { what: string; most: number; measured: number; unit: string }

const goals: Goal[] = []

/** Notes a figure of this benchmark that has a goal: at most `most`. */
export function noteGoal(what: string, measured: number, most: number, unit = 'x'): void {
  goals.push({ what, most, measured, unit })
}

/** Prints the goals beside what was measured. Nothing fails when one is missed. */
export function printGoals(): void {
  console.log(
    '\nGoals: ratios are to the CPU of the loop with the global `fetch`, in the same run\n',
  )
  printTable(
    ['goal', 'at most', 'measured', 'result'],
    goals.map(({ what, most, measured, unit }) => [
      what,
      withUnit(most, unit),
      withUnit(Number(number(measured)), unit),
      measured <= most ? 'met' : 'missed',
    ]),
  )
}

function withUnit(value: number, unit: string): string {
  if (unit === '') return String(value)
  return unit === 'x' ? `${value.toFixed(2)}x` : `${value} ${unit}`
}
