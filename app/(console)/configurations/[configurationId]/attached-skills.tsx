'use client'
import { useOptimistic, useTransition } from 'react'
import { sendAction } from '@/components/forms/send-action'
import { useToast } from '@/components/ui/toast'
import type { ActionResult } from '@/lib/action'
import {
  type AttachedSkill,
  type AttachedSkillChange,
  sendChange,
  withChange,
} from './attached-skill-change'
import { AttachedSkillRow } from './attached-skill-row'
import { PickSkill, type SkillChoice } from './pick-skill'
import { addSkillHere } from './skill-actions'

export function AttachedSkills({
  configurationId,
  skills: stored,
  choices,
}: {
  configurationId: string
  skills: AttachedSkill[]
  choices: SkillChoice[]
}) {
  const [skills, show] = useOptimistic(stored, withChange)
  const [pending, startTransition] = useTransition()
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
    send(() => sendChange(configurationId, change), change)

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
    </div>
  )
}
