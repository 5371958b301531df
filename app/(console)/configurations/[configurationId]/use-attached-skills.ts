'use client'
import { useOptimistic, useTransition } from 'react'
import { sendAction } from '@/components/forms/send-action'
import { useDone } from '@/components/forms/use-done'
import { useToast } from '@/components/ui/toast'
import type { ActionResult } from '@/lib/action'
import {
  type AttachedSkill,
  type AttachedSkillChange,
  nameOf,
  sendChange,
  withChange,
} from './attached-skill-change'
import { addSkillHere } from './skill-actions'

/** The skills as they will be once the server agrees, and what changes them; a switch can be undone. */
export function useAttachedSkills(configurationId: string, stored: AttachedSkill[]) {
  const [skills, show] = useOptimistic(stored, withChange)
  const [pending, startTransition] = useTransition()
  const toast = useToast()
  const tellDone = useDone()

  const send = (work: () => Promise<ActionResult<void>>, change?: AttachedSkillChange) =>
    startTransition(async () => {
      if (change) show(change)
      const result = await sendAction(work)
      if (!result.ok) {
        const { message } = result.error
        toast({ tone: 'error', title: 'The skills were not changed', description: message })
        return
      }
      if (change?.type !== 'switch') return
      const { skillId, enabled } = change
      tellDone({
        title: `${nameOf(skillId, stored)} is ${enabled ? 'on' : 'off'} here`,
        undo: () => sendChange(configurationId, { ...change, enabled: !enabled }),
        about: skillId,
      })
    })
  return {
    skills,
    pending,
    add: (skillId: string) => send(() => addSkillHere({ configurationId, skillId })),
    change: (change: AttachedSkillChange) =>
      send(() => sendChange(configurationId, change), change),
  }
}
