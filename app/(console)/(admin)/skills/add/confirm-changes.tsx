'use client'
import { useEffect, useRef } from 'react'
import { DiffView } from '@/components/nouns/diff-view'
import { Button } from '@/components/ui/button'
import { ErrorNotice } from '@/components/ui/error-notice'
import { Section } from '@/components/ui/section'
import type { SkillReplacement } from '@/lib/domains/skills/import-skills'
import { GrantChange } from '../grant-change'

/** Shows the differences to the stored skills. Nothing is written before they are confirmed. */
export function ConfirmChanges({
  changes,
  busy,
  error,
  onConfirm,
  onBack,
}: {
  changes: readonly SkillReplacement[]
  busy: boolean
  error: string | null
  onConfirm: () => void
  onBack: () => void
}) {
  const [only, ...others] = changes
  const title =
    only && others.length === 0 ? `Change ${only.name}` : `Change ${changes.length} skills`
  const heading = useRef<HTMLHeadingElement>(null)
  // Outside system: the document's focus. The button that had it is hidden now.
  useEffect(() => heading.current?.focus(), [])
  return (
    <div className="flex flex-col gap-6">
      <div>
        <h2 ref={heading} tabIndex={-1} className="text-lg outline-none">
          {title}
        </h2>
        <p>Nothing is saved yet. Review the changes to existing skills.</p>
      </div>
      {changes.map((change) => (
        <Section key={change.name} title={`${change.name}: version ${change.version + 1}`}>
          <GrantChange {...change.allowedTools} />
          <DiffView parts={change.diff} label={`Changes in ${change.name}`} />
        </Section>
      ))}
      {error && <ErrorNotice title="Nothing was changed">{error}</ErrorNotice>}
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" loading={busy} onClick={onConfirm}>
          {title}
        </Button>
        <Button onClick={onBack}>Back</Button>
      </div>
    </div>
  )
}
