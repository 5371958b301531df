import type { SkillChange } from '@/lib/domains/skills/limits-gone'
import { printLine } from './print'

export function printLimitsGone({ limitGone }: SkillChange): void {
  if (limitGone.length === 0) return
  printLine(
    `No skill of ${limitGone.join(', ')} declares allowed tools now: for new runs, only the other gates decide.`,
  )
}
