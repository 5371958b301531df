'use client'
import type { SkillEffect } from '@toolgate/server/domains/skills/bring-skills'
import type { SkillReplacement } from '@toolgate/server/domains/skills/import-skills'
import { useEffect, useRef } from 'react'
import { DiffView } from '@/components/nouns/diff-view'
import { Button } from '@/components/ui/button'
import { ErrorNotice } from '@/components/ui/error-notice'
import { Section } from '@/components/ui/section'
import { type DroppedFiles, droppedWords, skillEffectWords } from '@/lib/domains/skills/shape'
import { visibleText } from '@/lib/words/clean-text'
import { GrantChange } from '../grant-change'

function titleOf(changes: readonly SkillReplacement[], effects: readonly SkillEffect[]): string {
  const act = changes.length > 0 ? 'Change' : 'Add'
  const names = (changes.length > 0 ? changes : effects).map((each) =>
    'name' in each ? each.name : each.skill,
  )
  return names.length === 1 ? `${act} ${names[0]}` : `${act} ${names.length} skills`
}

/** Says of each skill how many tools remain, in sentences. */
export function effectWords(effects: readonly SkillEffect[]): string[] {
  return effects.flatMap(({ skill, tools }) =>
    tools.map((each) => visibleText(skillEffectWords(skill, each))),
  )
}

/** Shows the differences to the stored skills. Nothing is written before they are confirmed. */
export function ConfirmChanges({
  changes,
  effects,
  dropped,
  busy,
  error,
  onConfirm,
  onBack,
}: {
  changes: readonly SkillReplacement[]
  effects: readonly SkillEffect[]
  dropped: DroppedFiles
  busy: boolean
  error: string | null
  onConfirm: () => void
  onBack: () => void
}) {
  const title = titleOf(changes, effects)
  const heading = useRef<HTMLHeadingElement>(null)
  // External system: the document's focus. The button that had it is hidden now.
  useEffect(() => heading.current?.focus(), [])
  return (
    <div className="flex flex-col gap-6">
      <div>
        <h2 ref={heading} tabIndex={-1} className="text-lg outline-none">
          {title}
        </h2>
        <p>
          Nothing is saved yet.
          {changes.length > 0 && ' Review the changes to existing skills.'}
        </p>
      </div>
      <ul aria-label="What it does" className="max-w-[72ch] list-disc pl-5">
        {effects.map((effect) => (
          <li key={effect.skill} className={effect.none ? 'text-warning' : undefined}>
            {effectWords([effect]).join(' ')}
          </li>
        ))}
        {droppedWords(dropped).map((words) => (
          <li key={words} className="[overflow-wrap:anywhere]">
            {visibleText(words)}
          </li>
        ))}
      </ul>
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
