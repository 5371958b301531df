import { useMemo } from 'react'
import { DiffView } from '@/components/nouns/diff-view'
import { diffLines } from '@/lib/words/diff-lines'

/** Shows how a text becomes another one, line by line, as plain text. */
export function TextChange({
  before,
  after,
  label,
}: {
  before: string
  after: string
  label: string
}) {
  const parts = useMemo(() => diffLines(before, after), [before, after])
  const isVisible = parts.some(({ type }) => type !== 'same')
  if (!isVisible) return <p className="text-muted">No difference shown.</p>
  return <DiffView parts={parts.filter(({ value }) => value !== '')} label={label} />
}
