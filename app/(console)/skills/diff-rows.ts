import type { DiffPart } from '@/lib/skills/diff-lines'

/** `at` tells rows apart. */
export type DiffLine = { type: DiffPart['type']; text: string; at: number }
export type DiffRow = DiffLine | { type: 'gap'; lines: number; at: number }

const around = 3
const maxRows = 2_000

/** The lines to show of a difference: those that changed, and a few around them. `left` is how many were too many. */
export function diffRows(parts: readonly DiffPart[]): { rows: DiffRow[]; left: number } {
  const rows: DiffRow[] = []
  let at = 0
  for (const [index, { type, value }] of parts.entries()) {
    const lines = value.replace(/\n$/, '').split('\n')
    const before = index === 0 ? 0 : around
    const after = index === parts.length - 1 ? 0 : around
    for (const [number, text] of lines.entries()) {
      at += 1
      const isNear = number < before || number >= lines.length - after
      if (type !== 'same' || isNear) rows.push({ type, text, at })
      else if (number === before)
        rows.push({ type: 'gap', lines: lines.length - before - after, at })
    }
  }
  return { rows: rows.slice(0, maxRows), left: Math.max(0, rows.length - maxRows) }
}
