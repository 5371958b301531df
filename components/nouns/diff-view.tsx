import { VisibleText } from '@/components/trace/visible-text'
import { cn } from '@/components/ui/cn'
import type { DiffPart } from '@/lib/words/diff-lines'
import { formatCount } from '@/lib/words/format'

/** `at` tells rows apart. */
type DiffLine = { type: DiffPart['type']; text: string; at: number }
type DiffRow = DiffLine | { type: 'gap'; lines: number; at: number }

const styles: Record<DiffLine['type'], string> = {
  same: 'text-muted',
  added: 'bg-ok-soft text-strong',
  removed: 'bg-error-soft text-strong',
}
const marks: Record<DiffLine['type'], string> = { same: ' ', added: '+', removed: '-' }
const spoken: Record<DiffLine['type'], string> = {
  same: '',
  added: 'added: ',
  removed: 'removed: ',
}

/** Shows what changed between two versions, line by line, with three lines around each change. */
export function DiffView({ parts, label }: { parts: readonly DiffPart[]; label: string }) {
  const { rows, left } = diffRows(parts)
  if (rows.every(({ type }) => type === 'gap')) {
    return <p className="text-muted">Only comments or quotes in the front matter differ.</p>
  }
  return (
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      aria-label={label}
      className="max-h-[60vh] overflow-auto rounded-md border bg-surface-1 py-1 font-mono text-mono"
    >
      {rows.map((row) =>
        row.type === 'gap' ? (
          <p key={row.at} className="border-y bg-surface-2 px-3 py-0.5 text-muted text-sm">
            {formatCount(row.lines)} unchanged lines
          </p>
        ) : (
          <div key={row.at} className={cn('flex gap-2 px-3', styles[row.type])}>
            <span aria-hidden className="select-none whitespace-pre">
              {marks[row.type]}
            </span>
            <span className="min-w-0 whitespace-pre-wrap [overflow-wrap:anywhere]">
              <span className="sr-only">{spoken[row.type]}</span>
              <VisibleText text={row.text} />
            </span>
          </div>
        ),
      )}
      {left > 0 && (
        <p className="border-t bg-surface-2 px-3 py-0.5 text-muted text-sm">
          {formatCount(left)} more lines are not shown. Download both versions to compare them.
        </p>
      )}
    </section>
  )
}

const around = 3
const maxRows = 2_000

/** Returns the lines of a difference to show: changed ones and a few around them. `left`: the number not shown. */
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
