'use client'
import { useOptimistic, useState, useTransition } from 'react'
import { ConfirmDialog } from '@/components/forms/confirm-dialog'
import { sendAction } from '@/components/forms/send-action'
import { useToast } from '@/components/ui/toast'
import type { ActionResult } from '@/lib/action'
import { LimitGone } from '../../skills/limit-gone'
import {
  type AttachedSkill,
  type AttachedSkillChange,
  sendChange,
  takesLastLimit,
  withChange,
} from './attached-skill-change'
import { AttachedSkillRow } from './attached-skill-row'
import { PickSkill, type SkillChoice } from './pick-skill'
import { addSkillHere } from './skill-actions'

export function AttachedSkills({
  configurationId,
  configurationName,
  skills: stored,
  choices,
}: {
  configurationId: string
  configurationName: string
  skills: AttachedSkill[]
  choices: SkillChoice[]
}) {
  const [skills, show] = useOptimistic(stored, withChange)
  const [pending, startTransition] = useTransition()
  const [asked, setAsked] = useState<AttachedSkillChange | null>(null)
  const toast = useToast()

  const send = (work: () => Promise<ActionResult<void>>, change?: AttachedSkillChange) =>
    startTransition(async () => {
      if (change) show(change)
      const result = await sendAction(work)
      if (result.ok) return
      const { message } = result.error
      toast({ tone: 'error', title: 'The skills were not changed', description: message })
    })
  const apply = (change: AttachedSkillChange) =>
    takesLastLimit(skills, change)
      ? setAsked(change)
      : send(() => sendChange(configurationId, change), change)

  return (
    <div className="flex flex-col gap-3">
      {skills.length > 0 && (
        <ol className="divide-y rounded-md border bg-surface-1" aria-label="Skills">
          {skills.map((skill, index) => (
            <AttachedSkillRow
              key={skill.skillId}
              skill={skill}
              isFirst={index === 0}
              isLast={index === skills.length - 1}
              apply={apply}
            />
          ))}
        </ol>
      )}
      <PickSkill
        choices={choices}
        none={skills.length === 0}
        pending={pending}
        onAdd={(skillId) => send(() => addSkillHere({ configurationId, skillId }))}
      />
      {asked && (
        <ConfirmDialog
          {...wordsOf(asked, skills)}
          failed="The skills were not changed"
          send={() => sendChange(configurationId, asked)}
          onClose={() => setAsked(null)}
        >
          <LimitGone configurations={[configurationName]} />
        </ConfirmDialog>
      )}
    </div>
  )
}

function wordsOf({ type, skillId }: AttachedSkillChange, skills: AttachedSkill[]) {
  const name = skills.find((skill) => skill.skillId === skillId)?.name ?? 'the skill'
  return type === 'remove'
    ? { title: `Remove ${name} here`, done: `Removed ${name} here` }
    : { title: `Switch off ${name} here`, done: `${name} is off here` }
}
